import { execFile } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBridge } from '../../../examples/bridge/bridge.js'
import { readConfig } from '../../../examples/bridge/config.js'
import { openJournal } from '../../../examples/bridge/journal.js'
import { decimal, linesOf } from '../../../examples/bridge/order.js'
import { newFolder } from '../../folders.ts'
import { type Fault, type FaultOf, fastClock } from './emulation.ts'
import {
  configs,
  environment,
  healthOf,
  orderEvent,
  post,
  type Sent,
  secret,
  signed,
  stockEvent,
  stocks,
} from './events.ts'
import { freePort } from './play.ts'
import { startShopify } from './shopify-emulation.ts'
import { startWooCommerce } from './woocommerce-emulation.ts'

const clock = fastClock(1000, Date.now())
const at = Date.parse('2026-11-24T08:00:00Z')
const mug = { saleId: 'mug', quantity: 2, amount: 4800, currency: 'EUR' }
const paid = orderEvent('order.paid', 'mug-a', 2, at, mug)
const cancelled = orderEvent('order.cancelled', 'mug-a', 3, at + 1000, { ...mug, unitsReturned: 2 })
const taken = stockEvent('stock.taken', 'mug', 1, at - 1000, { quantity: 100 })
const returned = (quantity: number) => stockEvent('stock.returned', 'mug', 9, at + 5000, { quantity })

let folder = ''
let journal = ''
let closing: (() => unknown)[] = []
beforeEach(() => {
  folder = newFolder('bridge')
  journal = join(folder, 'journal')
})
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  closing = []
})

/** Faults of the next requests, in their order. */
const inTurn = (...faults: Fault[]): FaultOf => {
  return () => faults.shift()
}

async function shopify(options: Partial<Parameters<typeof startShopify>[0]> = {}) {
  const shop = await startShopify({ clock, faultOf: inTurn(), stock: stocks.shopify, ...options })
  closing.push(shop.close)
  return shop
}
async function woocommerce(options: Partial<Parameters<typeof startWooCommerce>[0]> = {}) {
  const shop = await startWooCommerce({ clock, faultOf: inTurn(), stock: stocks.woocommerce, ...options })
  closing.push(shop.close)
  return shop
}

/** A bridge in this process, and what it logs. */
async function bridge(given: object, { time = clock } = {}) {
  const lines: string[] = []
  const { config, secrets } = readConfig(given, environment)
  const { server, journal: open } = await startBridge(config, secrets, {
    clock: time,
    log: (line) => lines.push(line),
    fail: (failure) => lines.push(`failed: ${failure}`),
  })
  let isOpen = true
  const close = async () => {
    server.close().closeAllConnections()
    if (isOpen) await open.close()
    isOpen = false
  }
  closing.push(close)
  const { port } = config
  return {
    ...{ lines, port, close },
    breakJournal: () => {
      isOpen = false
      return open.close()
    },
    send: async (...events: Sent[]) => {
      for (const event of events) expect(await post(port, signed(event))).toBe(204)
    },
    /** Resolves when nothing waits, and nothing is set aside. */
    done: async () => {
      await expect.poll(async () => (await healthOf(port))?.waiting).toBe(0)
      expect(await healthOf(port)).toEqual({ waiting: 0, aside: [] })
    },
    aside: async () => (await healthOf(port))?.aside ?? [],
  }
}
const availableMugs = (shop: Awaited<ReturnType<typeof shopify>>) => shop.available.get('gid://shopify/InventoryItem/1')
const onShopify = async (shop: { url: string }) => configs.shopify(shop.url, journal, await freePort())

/** A new shop, and a bridge to it. */
async function toShopify(options?: Parameters<typeof shopify>[0], more?: Parameters<typeof bridge>[1]) {
  const shop = await shopify(options)
  return { shop, ...(await bridge(await onShopify(shop), more)), mugs: () => availableMugs(shop) }
}
async function toWoo(options?: Parameters<typeof woocommerce>[0]) {
  const shop = await woocommerce(options)
  const given = configs.woocommerce(shop.url, journal, await freePort())
  return { shop, ...(await bridge(given)), mugs: () => shop.products.get('1')?.stock_quantity }
}

describe('an event that arrives', () => {
  it('is stored with any one of several signatures', async () => {
    const { port, done } = await toShopify()
    expect(await post(port, signed(paid, ['whsec_b3RoZXI=', secret]))).toBe(204)
    await done()
    expect(readFileSync(journal, 'utf8')).toContain('"id":"mug-a_2"')
  })

  it.each([
    ['the signature of another secret', signed(paid, ['whsec_b3RoZXI='])],
    ['another body', { ...signed(paid), body: signed({ ...paid, data: { ...paid.data, amount: 1 } }).body }],
    ['a signature of six minutes ago', signed(paid, [secret], new Date(Date.now() - 360_000))],
    ['a signature of the future', signed(paid, [secret], new Date(Date.now() + 360_000))],
    ['another id', { ...signed(paid), headers: { ...signed(paid).headers, 'webhook-id': 'mug-b_2' } }],
    ['an empty signature', { ...signed(paid), headers: { ...signed(paid).headers, 'webhook-signature': 'v1,' } }],
    ['no time', { ...signed(paid), headers: { ...signed(paid).headers, 'webhook-timestamp': 'now' } }],
  ])('is answered 401 and not stored with %s', async (_, request) => {
    const { shop, port } = await toShopify()
    expect(await post(port, request)).toBe(401)
    expect(readFileSync(journal, 'utf8')).toBe('')
    expect(shop.orders.size).toBe(0)
  })

  it('is confirmed and not kept when it asks for nothing, such as a test', async () => {
    const { send } = await toShopify()
    await send({ id: 'test_1', type: 'endpoint.test', at, data: {} })
    expect(readFileSync(journal, 'utf8')).toBe('')
  })

  it('is confirmed and not kept when the shop has made the order itself', async () => {
    const shop = await shopify()
    const given = await onShopify(shop)
    const { send } = await bridge({ ...given, sales: { ...given.sales, mug: { paidInShop: true } } })
    await send(taken, paid, cancelled)
    expect(readFileSync(journal, 'utf8')).toBe('')
    expect(availableMugs(shop)).toBe(2000)
  })

  it('is not confirmed when it names no order', async () => {
    const { port } = await toShopify()
    expect(await post(port, signed({ ...paid, data: {} }))).toBe(503)
  })

  it('is not confirmed when the journal cannot be written, and neither is a later one', async () => {
    const { port, breakJournal } = await toShopify()
    await breakJournal()
    expect(await post(port, signed(paid))).toBe(503)
    expect(await post(port, signed(taken))).toBe(503)
  })
})

describe('an order', () => {
  it('is made once in Shopify, paid in full, and leaves the stock as it is', async () => {
    const { shop, send, done } = await toShopify()
    await send(paid, paid, { ...paid, id: 'mug-a_2-by-hand' })
    await done()
    expect([...shop.orders.values()]).toEqual([
      {
        ...{ id: 'gid://shopify/Order/1', sluiceId: 'mug-a', paid: '48.00', cancelledAt: null },
        units: [{ variantId: 'gid://shopify/ProductVariant/1', quantity: 2 }],
      },
    ])
    expect(availableMugs(shop)).toBe(2000)
  })

  it('has the product of its variant, and costs what the event says to the cent', async () => {
    const { shop, send, done } = await toShopify()
    const shirts = { saleId: 'shirt', quantity: 3, variant: 'blue', amount: 1000, currency: 'EUR' }
    await send(orderEvent('order.paid', 'shirt-a', 2, at, shirts))
    await done()
    const [order] = shop.orders.values()
    expect(order?.paid).toBe('10.00')
    const variant = (id: number, quantity: number) => ({
      variantId: `gid://shopify/ProductVariant/${id}`,
      quantity,
    })
    // 10.00 for three units are one of 3.34 and two of 3.33.
    expect(order?.units).toEqual([variant(3, 1), variant(3, 2)])
  })

  it.each<[string, Fault]>([
    ['is lost with its request', 'never-arrives'],
    ['is lost with its answer', 'answer-lost'],
    ['arrives long after the connection has ended', 'late-effect'],
    ['is refused by a shop that is busy', 'busy'],
  ])('is made once in Shopify when the call %s', async (_, fault) => {
    const { shop, send, done } = await toShopify({ faultOf: inTurn(undefined, undefined, fault) })
    await send(paid)
    await done()
    expect(shop.counts.creations).toBe(1)
    expect(Object.keys(shop.hurt)).toEqual([fault])
  })

  it.each<[string, Fault[]]>([
    ['loses the answer to its draft', [undefined, 'answer-lost']],
    ['loses the answer to its publication', [undefined, undefined, 'answer-lost']],
    ['draws out its publication', [undefined, undefined, 'late-effect']],
    ['is busy', [undefined, 'busy', 'busy', undefined, 'busy']],
  ])('is listed once in WooCommerce when the shop %s', async (_, faults) => {
    const { shop, send, done } = await toWoo({ faultOf: inTurn(...faults) })
    await send(paid)
    await done()
    expect(shop.listed()).toMatchObject([{ status: 'processing', line_items: [{ total: '48.00', quantity: 2 }] }])
    expect(shop.products.get('1')?.stock_quantity).toBe(2000)
  })

  it('is made once in Shopify when the journal was lost', async () => {
    const shop = await shopify()
    for (const name of ['first', 'second']) {
      journal = join(folder, name)
      const { send, done, close } = await bridge(await onShopify(shop))
      await send(paid)
      await done()
      await close()
    }
    expect(shop.counts.creations).toBe(1)
  })

  it('is made again when WooCommerce has deleted its draft', async () => {
    const { shop, send, done } = await toWoo({ faultOf: inTurn(undefined, undefined, 'never-arrives') })
    await send(paid)
    await expect.poll(() => shop.hurt['never-arrives']).toBe(1)
    shop.deleteDrafts()
    await done()
    expect(shop.listed()).toHaveLength(1)
  })

  it('is left alone when staff have gone on with it before the bridge learned that it was made', async () => {
    const { shop, send, done } = await toWoo({ faultOf: inTurn(undefined, undefined, 'answer-lost') })
    await send(paid)
    await expect.poll(() => shop.listed().length).toBe(1)
    for (const order of shop.orders.values()) order.status = 'completed'
    await done()
    expect(shop.listed()).toMatchObject([{ status: 'completed' }])
  })

  it('is not made when its end came before its payment', async () => {
    const { shop, send, done } = await toShopify()
    await send(cancelled, paid)
    await done()
    expect(shop.orders.size).toBe(0)
  })
})

describe('the end of an order', () => {
  it('cancels it in Shopify, and returns no units that Sluice sells again', async () => {
    const { shop, send, done } = await toShopify()
    await send(
      taken,
      paid,
      cancelled,
      orderEvent('order.refunded', 'mug-a', 4, at + 2000, { ...mug, unitsReturned: 0 }),
    )
    await done()
    expect([...shop.orders.values()].map(({ cancelledAt }) => cancelledAt)).toEqual([expect.any(String)])
    expect(availableMugs(shop)).toBe(1900)
  })

  it('makes it refunded in WooCommerce, which leaves the stock as it is', async () => {
    const { shop, send, done } = await toWoo()
    await send(taken, paid, cancelled)
    await done()
    expect(shop.listed()).toMatchObject([{ status: 'refunded' }])
    expect(shop.products.get('1')?.stock_quantity).toBe(1900)
  })

  const late = { ...cancelled, at: at + 6000 }
  it.each([
    ['before', [taken, paid, late, returned(98)]],
    ['after', [taken, paid, returned(98), late]],
    ['before, of an order that the shop does not have,', [taken, late, returned(98)]],
  ])(
    'returns the units to the shop when they are late, and the event comes %s that of the stock',
    async (_, events) => {
      for (const to of [toShopify, toWoo]) {
        journal = join(newFolder('bridge'), 'journal')
        const { send, done, mugs } = await to()
        for (const event of events) {
          await send(event, event)
          await done()
        }
        expect(mugs()).toBe(2000)
      }
    },
  )
})

describe('the stock', () => {
  it.each<Fault>(['answer-lost', 'late-effect', 'never-arrives'])('changes once in both shops (%s)', async (fault) => {
    const { shop, send, done, mugs } = await toShopify({ faultOf: inTurn(undefined, undefined, fault, fault) })
    await send(taken, taken)
    await done()
    await send(returned(40))
    await done()
    expect(mugs()).toBe(1940)
    expect(shop.counts.adjustments).toBe(2)

    journal = join(folder, 'other')
    const other = await toWoo({ faultOf: inTurn(undefined, undefined, fault) })
    await other.send(taken, stockEvent('stock.returned', 'mug', 9, at, { quantity: 40 }))
    await other.done()
    expect(other.mugs()).toBe(1940)
  })

  it('is left to a person when Shopify no longer knows the key of a change whose answer was lost', async () => {
    const slow = fastClock(50, Date.now())
    const shop = await shopify({ clock: slow, faultOf: inTurn(undefined, undefined, 'answer-lost') })
    let ahead = 0
    const time = { ...slow, now: () => slow.now() + ahead }
    const { send, aside } = await bridge(await onShopify(shop), { time })
    await send(taken)
    await expect.poll(() => shop.counts.adjustments).toBe(1)
    ahead = 24 * 3_600_000
    await expect.poll(async () => (await aside()).length).toBe(1)
    expect((await aside())[0]?.why).toMatch(/unknown whether.*gid:\/\/sluice\/StockChange\/sale_mug_1/)
    expect(availableMugs(shop)).toBe(1900)
  })
})

describe('what cannot be worked off', () => {
  it('is set aside with a reason, keeps its order, and is done after a start with the right config', async () => {
    const shop = await shopify()
    const given = await onShopify(shop)
    const { sales, ...others } = given
    const first = await bridge({ ...others, sales: { shirt: sales.shirt } })
    const other = orderEvent('order.paid', 'shirt-a', 2, at, { ...mug, saleId: 'shirt', quantity: 2, variant: 'red' })
    await first.send(paid)
    await expect.poll(async () => (await first.aside()).length).toBe(1)
    await first.send(cancelled, other)
    await expect.poll(() => shop.orders.size).toBe(1)
    const why = 'the config has no sales.mug: add it, and start the bridge again'
    expect(await first.aside()).toEqual([{ id: 'mug-a_2', type: 'order.paid', why }])
    expect(first.lines).toContain(`Set aside order.paid mug-a_2: ${why}`)
    expect(first.lines).toContain('order.cancelled mug-a_3 waits for mug-a_2, which is set aside')
    await first.close()

    const second = await bridge(given)
    await second.done()
    expect([...shop.orders.values()].map(({ sluiceId, cancelledAt }) => [sluiceId, cancelledAt !== null])).toEqual([
      ['shirt-a', false],
      ['mug-a', true],
    ])
  })

  it('is closed by hand with --done', async () => {
    const shop = await shopify()
    const given = await onShopify(shop)
    const config = { ...given, sales: { shirt: given.sales.shirt } }
    const first = await bridge(config)
    await first.send(paid)
    await expect.poll(async () => (await first.aside()).length).toBe(1)
    await first.close()
    const file = join(folder, 'config.json')
    writeFileSync(file, JSON.stringify(config))
    const main = fileURLToPath(new URL('../../../examples/bridge/main.js', import.meta.url))
    const env = { ...process.env, ...environment }
    const run = (id: string) => promisify(execFile)(process.execPath, [main, file, '--done', id], { env })
    await expect(run('mug-b_2')).rejects.toMatchObject({ stderr: 'No event mug-b_2 is waiting.\n' })
    await run('mug-a_2')
    const second = await bridge(config)
    expect(await healthOf(second.port)).toEqual({ waiting: 0, aside: [] })
    await second.send(paid)
    expect(await healthOf(second.port)).toEqual({ waiting: 0, aside: [] })
  })
})

describe('the points of Shopify', () => {
  const orders = Array.from({ length: 300 }, (_, index) => orderEvent('order.paid', `mug-${index}`, 2, at, mug))

  it('are enough for all orders, each in its time', async () => {
    const slow = fastClock(5, Date.now())
    const { shop, send, done } = await toShopify({ clock: slow }, { time: slow })
    await Promise.all(orders.map((event) => send(event)))
    await done()
    expect(shop.counts).toMatchObject({ creations: 300, throttled: 0 })
  })

  it('are waited for when another program has used them', async () => {
    const slow = fastClock(20, Date.now())
    const { shop, send, done } = await toShopify({ clock: slow }, { time: slow })
    const sent = Promise.all(orders.map((event) => send(event)))
    await expect.poll(() => shop.orders.size, { interval: 1 }).toBeGreaterThanOrEqual(50)
    shop.drain()
    await sent
    await done()
    expect(shop.orders.size).toBe(300)
    expect(shop.counts.throttled).toBeGreaterThan(0)
    expect(shop.counts.spent).toBeLessThanOrEqual(shop.allowed())
  })
})

describe('a start', () => {
  it('is refused when the metafield of the orders is not unique', async () => {
    const given = await onShopify(await shopify({ uniqueValues: false }))
    await expect(bridge(given)).rejects.toThrow(
      'the metafield sluice.order of orders exists, and its values are not unique',
    )
  })

  it('is refused with every field of the config that is wrong', () => {
    const given = {
      ...{ shop: { kind: 'shopify', url: 'http://localhost.example', locationId: '1', atOnce: 0 } },
      sales: { mug: {}, shirt: { variants: { red: { variantId: 'gid://shopify/ProductVariant/1' } } } },
    }
    expect(() => readConfig(given, {})).toThrow(
      [
        'The config cannot be used:',
        'shop.url is not an https address',
        'shop.locationId is not gid://shopify/Location/…',
        'atOnce is not a whole number above 0',
        'journal is not the name of a file',
        'sales.mug has neither product nor variants',
        'sales.shirt: red needs variantId and inventoryItemId',
        'EVENTS_SECRET of the environment is not whsec_…',
        'the environment has no SHOPIFY_TOKEN',
      ].join('\n  '),
    )
  })

  it('forgets a line that a crash has cut off, which was never confirmed', async () => {
    const lines = ['{"id":"a","event":{"type":"order.paid"}}', '{"id":"b","ev']
    writeFileSync(journal, lines.join('\n'))
    const opened = await openJournal(journal, clock.now)
    closing.push(opened.close)
    expect([...opened.entries.keys()]).toEqual(['a'])
    await opened.append({ id: 'a', done: clock.now() })
    expect(readFileSync(journal, 'utf8').trim().split('\n')).toHaveLength(2)
  })

  it('is the only way on for a journal that could not be written once', async () => {
    const opened = await openJournal(journal, clock.now)
    closing.push(opened.close)
    const broken = Object.defineProperty({ done: 1, id: 'a' }, 'toJSON', {
      value: () => {
        throw new Error('no space left')
      },
    })
    await expect(opened.append(broken)).rejects.toThrow('no space left')
    await expect(opened.append({ done: 2, id: 'b' })).rejects.toThrow('no space left')
    expect(opened.has('b')).toBe(false)
  })

  it('is refused when a line in the middle of the journal cannot be read', async () => {
    writeFileSync(journal, '{"id":"a","ev\n{"id":"b","done":1}\n')
    await expect(openJournal(journal, clock.now)).rejects.toThrow(SyntaxError)
  })

  it('makes the journal smaller, and keeps the ids of 45 days', async () => {
    const day = 86_400_000
    const opened = await openJournal(journal, () => 50 * day)
    await opened.append({ id: 'old', event: { type: 'order.paid', timestamp: '', data: {} } }, { id: 'old', done: day })
    await opened.append({ id: 'new', done: 49 * day }, { subject: 'mug-a', facts: { shop: '7' } })
    await opened.append({ subject: 'mug-b', facts: { ended: true, until: 49 * day } })
    await opened.close()
    appendFileSync(journal, '{"torn')
    const again = await openJournal(journal, () => 50 * day)
    closing.push(again.close)
    expect(
      readFileSync(journal, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { id: 'new', done: 49 * day },
      { subject: 'mug-a', facts: { shop: '7' } },
    ])
    expect([again.has('old'), again.has('new')]).toEqual([false, true])
  })
})

describe('an amount', () => {
  it('is spread over the units without a rest', () => {
    const product = {}
    const units = [
      { product, quantity: 2 },
      { product, quantity: 1 },
    ]
    for (const amount of [0, 1, 2, 3, 1000, 4799]) {
      const lines = linesOf(units, amount)
      expect(lines.reduce((sum, line) => sum + line.quantity * line.unitAmount, 0)).toBe(amount)
      expect(lines.reduce((sum, line) => sum + line.quantity, 0)).toBe(3)
    }
  })

  it.each([
    [5, 'EUR', '0.05'],
    [1999, 'USD', '19.99'],
    [1999, 'JPY', '1999'],
    [1999, 'KWD', '1.999'],
  ])('of %d in %s is %s', (amount, currency, text) => expect(decimal(amount, currency)).toBe(text))
})
