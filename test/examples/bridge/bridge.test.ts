import { execFile } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBridge } from '../../../examples/bridge/bridge.js'
import { readConfig } from '../../../examples/bridge/config.js'
import { openJournal } from '../../../examples/bridge/journal.js'
import { decimal } from '../../../examples/bridge/order.js'
import { newFolder } from '../../folders.ts'
import { type Fault, fastClock, faultsOfEach, initialStock } from './emulation.ts'
import { configs, environment, healthOf, orderEvent, post, type Sent, secret, signed, stockEvent } from './events.ts'
import { freePort, play } from './play.ts'
import { startShopify } from './shopify-emulation.ts'
import { startWooCommerce } from './woocommerce-emulation.ts'

const clock = fastClock(1000)
const at = Date.parse('2026-11-24T08:00:00Z')
const mug = { saleId: 'mug', quantity: 2, amount: 4800, currency: 'EUR' }
const paid = orderEvent('order.paid', 'mug-a', 2, at, mug)
const cancelled = orderEvent('order.cancelled', 'mug-a', 3, at + 1000, { ...mug, unitsReturned: 2 })
const taken = stockEvent('stock.taken', 'mug', 1, at - 1000, { quantity: 100 })

let journal = ''
let closing: (() => unknown)[] = []
beforeEach(() => {
  journal = join(newFolder('bridge'), 'journal')
})
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  closing = []
})

/** The next requests have these faults, in their order. */
const inTurn = (...faults: (Fault | undefined)[]) => {
  return () => faults.shift()
}

async function shopify(options: Partial<Parameters<typeof startShopify>[0]> = {}) {
  const shop = await startShopify({ clock, faultOf: inTurn(), ...options })
  closing.push(shop.close)
  return shop
}

/** A bridge in this process, and what it logs. */
async function bridge(given: object, time = clock) {
  const lines: string[] = []
  const { config, secrets } = readConfig(given, environment)
  const { server, journal: open } = await startBridge(config, secrets, {
    clock: time,
    log: (line) => lines.push(line),
    fail: (failure) => lines.push(`failed: ${failure}`),
  })
  const close = async () => {
    server.close().closeAllConnections()
    await open.close()
  }
  closing.push(close)
  const { port } = config
  const deadLetters = async () => (await healthOf(port))?.deadLetters ?? []
  return {
    ...{ lines, port, deadLetters, close, breakJournal: open.close },
    send: async (...events: Sent[]) => {
      for (const event of events) expect(await post(port, signed(event))).toBe(204)
    },
    /** Resolves when nothing waits, and there is no dead letter. */
    done: async () => {
      await expect.poll(async () => (await healthOf(port))?.waiting).toBe(0)
      expect(await deadLetters()).toEqual([])
    },
    isDeadLettered: () => expect.poll(async () => (await deadLetters()).length).toBe(1),
  }
}
const onShopify = async (shop: { url: string }) => configs.shopify(shop.url, journal, await freePort())

/** A new shop, and a bridge to it. */
async function toShopify(options?: Parameters<typeof shopify>[0], time?: typeof clock) {
  const shop = await shopify(options)
  return { shop, ...(await bridge(await onShopify(shop), time)) }
}

describe.each([
  ['Shopify', 'shopify', startShopify],
  ['WooCommerce', 'woocommerce', startWooCommerce],
] as const)('orders in %s', (_, kind, startShop) => {
  it('are there once each, with their units and their money, whatever is lost, and though the bridge is killed', async () => {
    const [speed, startedAt] = [300, Date.now()]
    const shop = await startShop({ clock: fastClock(speed, startedAt), faultOf: faultsOfEach() })
    closing.push(shop.close)
    const config = configs[kind](shop.url, journal, await freePort())
    const { made, gone } = await play(config, { count: 36, clock: [speed, startedAt], made: shop.made })
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)
    expect(shop.made().toSorted(byId)).toEqual(made.toSorted(byId))
    expect(shop.left()).toEqual(initialStock.map((count, product) => count - (gone[product] ?? 0)))
    expect([...shop.hurt].sort()).toEqual(['answer-lost', 'busy', 'late-effect', 'never-arrives', 'slow'])
  })
})

describe('an event that arrives', () => {
  it('is stored with any one of several signatures, and once', async () => {
    const { shop, port, done, send } = await toShopify()
    expect(await post(port, signed(paid, ['whsec_b3RoZXI=', secret]))).toBe(204)
    await send(paid, { ...paid, id: 'mug-a_2-by-hand' })
    await done()
    expect(readFileSync(journal, 'utf8').split('"event"')).toHaveLength(3)
    expect(shop.counts.creations).toBe(1)
  })

  it.each([
    ['the signature of another secret', signed(paid, ['whsec_b3RoZXI='])],
    ['another body', { ...signed(paid), body: signed({ ...paid, data: { ...paid.data, amount: 1 } }).body }],
    ['a signature of six minutes ago', signed(paid, [secret], new Date(Date.now() - 360_000))],
    ['a signature of the future', signed(paid, [secret], new Date(Date.now() + 3_600_000))],
    ['another id', { ...signed(paid), headers: { ...signed(paid).headers, 'webhook-id': 'mug-b_2' } }],
    ['an empty signature', { ...signed(paid), headers: { ...signed(paid).headers, 'webhook-signature': 'v1,' } }],
    ['no time', { ...signed(paid), headers: { ...signed(paid).headers, 'webhook-timestamp': 'now' } }],
  ])('is answered 401 and not stored with %s', async (_, request) => {
    const { port } = await toShopify()
    expect(await post(port, request)).toBe(401)
    expect(readFileSync(journal, 'utf8')).toBe('')
  })

  it('is confirmed and not kept when it asks for nothing, or when the shop has made the order itself', async () => {
    const given = await onShopify(await shopify())
    const { send } = await bridge({ ...given, sales: { ...given.sales, mug: { paidInShop: true } } })
    await send({ id: 'test_1', type: 'endpoint.test', at, data: {} }, taken, paid, cancelled)
    expect(readFileSync(journal, 'utf8')).toBe('')
  })

  it('is not confirmed when it names no order, or when the journal cannot be written', async () => {
    const { port, breakJournal } = await toShopify()
    expect(await post(port, signed({ ...paid, data: {} }))).toBe(503)
    await breakJournal()
    expect(await post(port, signed(paid))).toBe(503)
    expect(await post(port, signed(taken))).toBe(503)
  })
})

it('an order is made once in Shopify when the journal was lost', async () => {
  const shop = await shopify()
  for (const name of ['first', 'second']) {
    journal = join(newFolder('bridge'), name)
    const { send, done, close } = await bridge(await onShopify(shop))
    await send(paid)
    await done()
    await close()
  }
  expect(shop.counts.creations).toBe(1)
})

it.each([
  ['is made again when WooCommerce has deleted its draft', 'never-arrives', 0, 'processing'],
  [
    'is left alone when staff have gone on with it before the bridge learned that it was made',
    'answer-lost',
    1,
    'completed',
  ],
] as const)('an order %s', async (_, fault, listedAtOnce, status) => {
  const slow = fastClock(20)
  const shop = await startWooCommerce({ clock: slow, faultOf: inTurn(undefined, undefined, fault) })
  closing.push(shop.close)
  const { send, done } = await bridge(configs.woocommerce(shop.url, journal, await freePort()), slow)
  await send(paid)
  await expect.poll(() => shop.hurt.size).toBe(1)
  await expect.poll(() => shop.listed().length).toBe(listedAtOnce)
  for (const order of shop.listed()) order.status = 'completed'
  shop.deleteDrafts()
  await done()
  expect(shop.listed()).toMatchObject([{ status }])
})

it('the stock is left to a person when Shopify no longer knows the key of a change whose answer was lost', async () => {
  const slow = fastClock(50)
  let ahead = 0
  const { shop, send, deadLetters, isDeadLettered } = await toShopify(
    { clock: slow, faultOf: inTurn(undefined, undefined, 'answer-lost') },
    { ...slow, now: () => slow.now() + ahead },
  )
  await send(taken)
  await expect.poll(() => shop.counts.adjustments).toBe(1)
  ahead = 24 * 3_600_000
  await isDeadLettered()
  expect((await deadLetters())[0]?.why).toMatch(/unknown whether.*gid:\/\/sluice\/StockChange\/sale_mug_1/)
  expect(shop.left()).toEqual([1900, 1000, 1000])
})

it('a change of the stock in WooCommerce waits for one that may still arrive, which would overwrite it', async () => {
  const slow = fastClock(50)
  const shop = await startWooCommerce({ clock: slow, faultOf: inTurn(undefined, undefined, 'late-effect') })
  closing.push(shop.close)
  const given = configs.woocommerce(shop.url, journal, await freePort())
  const { send, done } = await bridge({ ...given, sales: { ...given.sales, cup: given.sales.mug } }, slow)
  await send(taken, stockEvent('stock.taken', 'cup', 1, at, { quantity: 40 }))
  await done()
  expect(shop.left()).toEqual([1860, 1000, 1000])
})

describe('what cannot be worked off', () => {
  it('is dead-lettered with a reason, keeps its order, and is done after a start with the right config', async () => {
    const shop = await shopify()
    const { sales, ...others } = await onShopify(shop)
    const first = await bridge({ ...others, sales: { shirt: sales.shirt } })
    await first.send(paid)
    await first.isDeadLettered()
    await first.send(cancelled, orderEvent('order.paid', 'shirt-a', 2, at, { ...mug, saleId: 'shirt', variant: 'red' }))
    await expect.poll(() => shop.made().length).toBe(1)
    const why = 'the config has no sales.mug: add it, and start the bridge again'
    expect(await first.deadLetters()).toEqual([{ id: 'mug-a_2', type: 'order.paid', why }])
    expect(first.lines).toContain(`Dead-lettered order.paid mug-a_2: ${why}`)
    expect(first.lines).toContain('order.cancelled mug-a_3 waits for mug-a_2, which is dead-lettered')
    await first.close()

    const second = await bridge({ ...others, sales })
    await second.done()
    expect(shop.made().map(({ id, isEnded }) => [id, isEnded])).toEqual([
      ['shirt-a', false],
      ['mug-a', true],
    ])
  })

  it('is closed by hand with --done', async () => {
    const { sales, ...others } = await onShopify(await shopify())
    const config = { ...others, sales: { shirt: sales.shirt } }
    const first = await bridge(config)
    await first.send(paid)
    await first.isDeadLettered()
    await first.close()
    const file = `${journal}.json`
    writeFileSync(file, JSON.stringify(config))
    const main = fileURLToPath(new URL('../../../examples/bridge/main.js', import.meta.url))
    const env = { ...process.env, ...environment }
    const run = (id: string) => promisify(execFile)(process.execPath, [main, file, '--done', id], { env })
    await expect(run('mug-b_2')).rejects.toMatchObject({ stderr: 'No event mug-b_2 is waiting.\n' })
    await run('mug-a_2')
    const second = await bridge(config)
    await second.send(paid)
    expect(await healthOf(second.port)).toEqual({ waiting: 0, deadLetters: [] })
  })
})

it('the points of Shopify are enough for all orders, and are waited for when another program has used them', async () => {
  const slow = fastClock(5)
  const { shop, send, done } = await toShopify({ clock: slow }, slow)
  const orders = Array.from({ length: 320 }, (_, index) => orderEvent('order.paid', `mug-${index}`, 2, at, mug))
  await Promise.all(orders.slice(0, 300).map((event) => send(event)))
  await done()
  expect(shop.counts).toMatchObject({ creations: 300, throttled: 0 })
  shop.drain()
  await Promise.all(orders.slice(300).map((event) => send(event)))
  await done()
  expect(shop.counts.creations).toBe(320)
  expect(shop.counts.throttled).toBeGreaterThan(0)
})

describe('a start', () => {
  it('is refused when the metafield of the orders is not unique', async () => {
    const given = await onShopify(await shopify({ uniqueValues: false }))
    await expect(bridge(given)).rejects.toThrow(
      'metafield sluice.order of orders exists, and its values are not unique',
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

  it('is refused when a line in the middle of the journal cannot be read', async () => {
    writeFileSync(journal, '{"id":"a","ev\n{"id":"b","done":1}\n')
    await expect(openJournal(journal, clock.now)).rejects.toThrow(SyntaxError)
  })

  it('makes the journal smaller, keeps the ids of 45 days, and forgets a line that a crash has cut off', async () => {
    const day = 86_400_000
    const opened = await openJournal(journal, () => 50 * day)
    await opened.append({ id: 'old', event: { type: 'order.paid', timestamp: '', data: {} } }, { id: 'old', done: day })
    await opened.append({ id: 'new', done: 49 * day }, { subject: 'mug-a', facts: { shop: '7' } })
    await opened.append({ subject: 'mug-b', facts: { ended: true, until: 49 * day } })
    await opened.close()
    appendFileSync(journal, '{"torn')
    const again = await openJournal(journal, () => 50 * day)
    closing.push(again.close)
    const lines = readFileSync(journal, 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { id: 'new', done: 49 * day },
      { subject: 'mug-a', facts: { shop: '7' } },
    ])
    expect([again.has('old'), again.has('new')]).toEqual([false, true])
  })
})

it.each([
  [5, 'EUR', '0.05'],
  [1999, 'USD', '19.99'],
  [1999, 'JPY', '1999'],
  [1999, 'KWD', '1.999'],
])('an amount of %d in %s is %s', (amount, currency, text) => expect(decimal(amount, currency)).toBe(text))
