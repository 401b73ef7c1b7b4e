import { execFile } from 'node:child_process'
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { startBridge } from '../../../examples/bridge/bridge.js'
import { readConfig } from '../../../examples/bridge/config.js'
import { openJournal } from '../../../examples/bridge/journal.js'
import { decimal } from '../../../examples/bridge/order.js'
import { freePort } from '../../../local/ports.ts'
import { checkEvent } from '../../../proof/described-api.ts'
import { newFolder } from '../../folders.ts'
import { useStops } from '../../stops.ts'
import { type FaultOf, faults, serveShop, shopify, testClock, wooCommerce } from './shops.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const environment = {
  EVENTS_SECRET: secret,
  SHOPIFY_TOKEN: 'shop-token',
  WOOCOMMERCE_KEY: 'ck_shop',
  WOOCOMMERCE_SECRET: 'cs_shop',
}

const shopifyProduct = (id: number) => ({
  variantId: `gid://shopify/ProductVariant/${id}`,
  inventoryItemId: `gid://shopify/InventoryItem/${id}`,
})

/** The sale `mug` sells one product, the sale `shirt` a product in two colours. */
const kinds = {
  shopify: {
    newShop: shopify,
    shop: { kind: 'shopify', locationId: 'gid://shopify/Location/1' },
    sales: {
      mug: { product: shopifyProduct(1) },
      shirt: { variants: { red: shopifyProduct(2), blue: shopifyProduct(3) } },
    },
  },
  woocommerce: {
    newShop: wooCommerce,
    shop: { kind: 'woocommerce' },
    sales: {
      mug: { product: { productId: 1 } },
      shirt: { variants: { red: { productId: 7, variationId: 2 }, blue: { productId: 7, variationId: 3 } } },
    },
  },
} as const

type Sent = { id: string; type: string; at: number; data: Record<string, unknown> }

/** An event of an order, or of the stock of the sale `subject`. */
function eventOf(type: string, subject: string, revision: number, at: number, facts: Sent['data']): Sent {
  const [id, data] = type.startsWith('order.')
    ? [subject, { orderId: subject, shopperId: 'ann' }]
    : [`sale_${subject}`, { saleId: subject, windowIndex: 0 }]
  return { id: `${id}_${revision}`, type, at, data: { ...data, revision, ...facts } }
}

function signed({ id, type, at, data }: Sent, keys = [secret], signedAt = new Date()) {
  const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
    'webhook-signature': keys.map((key) => new Webhook(key).sign(id, signedAt, body)).join(' '),
  }
  return { body, headers }
}

const opensAt = Date.parse('2026-11-24T08:00:00Z')
const archivedAt = opensAt + 8 * 86_400_000
const mug = { saleId: 'mug', quantity: 2, amount: 4800, currency: 'EUR' }
const paid = eventOf('order.paid', 'mug-a', 2, opensAt, mug)
const cancelled = eventOf('order.cancelled', 'mug-a', 3, opensAt + 1000, { ...mug, unitsReturned: 2 })
const taken = eventOf('stock.taken', 'mug', 1, opensAt - 1000, { quantity: 100 })

const stops = useStops()

/** A new shop, and a journal of bridges to it. */
function rig<Kind extends keyof typeof kinds>(kind: Kind, faultOf: FaultOf = () => undefined) {
  const { newShop, shop: settings, sales } = kinds[kind]
  const clock = testClock()
  const shop = newShop(clock) as ReturnType<(typeof kinds)[Kind]['newShop']>
  const journal = join(newFolder('bridge'), 'journal')
  let calls = 0

  /** Starts a bridge; `crashed` is called when a fault has ended it in the middle of its work. */
  async function start({ sales: sold = sales as object, crashed = () => {} } = {}) {
    let isAlive = true
    let isUp = false
    const served = await serveShop(shop, clock, () => {
      const fault = isAlive ? faultOf(calls++) : 'request lost'
      if (isUp && fault?.startsWith('crash')) void close().then(crashed)
      return fault
    })
    stops.push(served.stop)
    const port = await freePort()
    const given = { journal, listen: { port }, shop: { ...settings, url: served.url }, sales: sold }
    const { config, secrets } = readConfig(given, environment)
    const lines: string[] = []
    const bridge = await startBridge(config, secrets, {
      clock: { now: clock.now, sleep: (ms) => (isAlive ? clock.sleep(ms) : new Promise(() => {})) },
      log: (line) => lines.push(line),
      fail: (failure) => lines.push(`failed: ${failure}`),
    })
    isUp = true
    async function close(): Promise<void> {
      if (!isAlive) return
      isAlive = false
      bridge.server.close().closeAllConnections()
      await Promise.all([bridge.journal.close(), served.stop()])
    }
    stops.push(close)
    const url = `http://127.0.0.1:${port}`
    const health = async () => (await (await fetch(`${url}/health`)).json()) as Health
    /** Resolves with the status, or `undefined` without an answer. */
    const post = async (request: ReturnType<typeof signed>) =>
      (await fetch(`${url}/events`, { method: 'POST', ...request }).catch(() => undefined))?.status
    return {
      ...{ given, lines, close, post, health, breakJournal: bridge.journal.close },
      send: async (...events: Sent[]) => {
        for (const event of events) expect(await post(signed(event))).toBe(204)
      },
      /** Resolves when nothing waits, and there is no dead letter. */
      done: () => expect.poll(health, { interval: 5 }).toEqual({ waiting: 0, deadLetters: [] }),
      deadLetter: async () => {
        await expect.poll(async () => (await health()).deadLetters.length, { interval: 5 }).toBe(1)
        return (await health()).deadLetters[0]
      },
    }
  }
  return { clock, shop, journal, start }
}
type Health = { waiting: number; deadLetters: { id: string; type: string; why: string }[] }

describe.each(['shopify', 'woocommerce'] as const)('orders in %s', (kind) => {
  const idOf = (saleId: string, letter: string) => `${saleId}-${letter.repeat(26)}`
  /** The events of an order; `ends` is when it ends after its start. */
  function order(letter: string, data: { saleId: string; quantity: number; amount: number; variant?: string }) {
    const event = (type: string, revision: number, after: number, more: object) =>
      eventOf(`order.${type}`, idOf(data.saleId, letter), revision, opensAt + after, {
        ...{ ...data, currency: 'EUR', ...more },
      })
    const unitsReturned = data.quantity
    return {
      free: [event('confirmed', 1, 0, { status: 'fulfilled' })],
      paid: [event('reserved', 1, 0, { status: 'awaiting-payment' }), event('paid', 2, 50, { status: 'paid' })],
      refunded: [event('refunded', 3, 1000, { status: 'refunded', unitsReturned: 0 })],
      cancelled: (after: number) => [
        event('cancelled', 3, after, { status: 'refund-due', unitsReturned }),
        event('refunded', 4, after + 1, { status: 'refunded', unitsReturned: 0 }),
      ],
    }
  }
  const late = archivedAt + 3_600_000 - opensAt
  const kept = order('a', { saleId: 'mug', quantity: 2, amount: 4801 })
  const inTime = order('b', { saleId: 'mug', quantity: 1, amount: 1999 })
  const lateMug = order('c', { saleId: 'mug', quantity: 2, amount: 3998 })
  const lateShirt = order('d', { saleId: 'shirt', quantity: 3, amount: 5996, variant: 'red' })
  const free = order('e', { saleId: 'shirt', quantity: 1, amount: 0, variant: 'blue' })
  const reversed = order('f', { saleId: 'shirt', quantity: 1, amount: 1999, variant: 'blue' })
  const shipped = order('g', { saleId: 'shirt', quantity: 1, amount: 1999, variant: 'red' })
  const events = [
    eventOf('stock.taken', 'mug', 1, opensAt - 3_600_000, { quantity: 100 }),
    eventOf('stock.taken', 'shirt', 1, opensAt - 3_600_000, { quantity: 100, units: { red: 50, blue: 50 } }),
    ...[kept, inTime, lateMug, lateShirt, shipped].flatMap((one) => one.paid),
    ...[...free.free, ...inTime.cancelled(1000), ...shipped.refunded],
    // A payment that was given up and sent again by hand, after the end of its order: the shop never has the order.
    ...[...reversed.paid, ...reversed.cancelled(1000)].toReversed(),
    // One sale gets its stock before the late end of its order, the other after it.
    eventOf('stock.returned', 'mug', 9, archivedAt, { quantity: 96 }),
    ...[...lateMug.cancelled(late), ...lateShirt.cancelled(late)],
    eventOf('stock.returned', 'shirt', 9, archivedAt, { quantity: 95, units: { red: 46, blue: 49 } }),
  ]
  const made = {
    [idOf('mug', 'a')]: { amount: 4801, isEnded: false, units: { 1: 2 } },
    [idOf('mug', 'b')]: { amount: 1999, isEnded: true, units: { 1: 1 } },
    [idOf('mug', 'c')]: { amount: 3998, isEnded: true, units: { 1: 2 } },
    [idOf('shirt', 'd')]: { amount: 5996, isEnded: true, units: { 2: 3 } },
    [idOf('shirt', 'e')]: { amount: 0, isEnded: false, units: { 3: 1 } },
    [idOf('shirt', 'g')]: { amount: 1999, isEnded: true, units: { 2: 1 } },
  }

  it('are made once each, with their units and their money, whichever calls fail, and though the bridge dies', async () => {
    for (const event of events) checkEvent(signed(event).body)
    // Every fifth call has a fault. Thirty plays give each call each of the six faults.
    for (let first = 0; first < 5 * faults.length; first += 1) {
      const { shop, start } = rig(kind, (call) => {
        return (call + first) % 5 === 0 ? faults[((call + first) / 5) % faults.length] : undefined
      })
      const crashed = () => {
        bridge = start({ crashed })
      }
      let bridge = start({ crashed })
      // Sluice repeats an event until it is confirmed, and sometimes afterwards.
      for (const event of [...events, ...events]) while ((await (await bridge).post(signed(event))) !== 204);
      const health = async () => (await bridge).health().catch(() => 'down')
      await expect.poll(health, { interval: 5 }).toEqual({ waiting: 0, deadLetters: [] })
      expect(shop.made(), `play ${first}`).toEqual(made)
      expect(shop.left(), `play ${first}`).toEqual([1998, 999, 999])
      await (await bridge).close()
    }
  })
})

describe('an event that arrives', () => {
  it('is stored with any one of several signatures, and once', async () => {
    const { shop, journal, start } = rig('shopify')
    const { post, send, done } = await start()
    expect(await post(signed(paid, ['whsec_b3RoZXI=', secret]))).toBe(204)
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
    const { journal, start } = rig('shopify')
    const { post } = await start()
    expect(await post(request)).toBe(401)
    expect(readFileSync(journal, 'utf8')).toBe('')
  })

  it('is confirmed and not kept when it asks for nothing, or when the shop has made the order itself', async () => {
    const { journal, start } = rig('shopify')
    const { send } = await start({ sales: { mug: { paidInShop: true } } })
    await send({ id: 'test_1', type: 'endpoint.test', at: opensAt, data: {} }, taken, paid, cancelled)
    expect(readFileSync(journal, 'utf8')).toBe('')
  })

  it('is not confirmed when it names no order, or when the journal cannot be written', async () => {
    const { post, breakJournal } = await rig('shopify').start()
    expect(await post(signed({ ...paid, data: {} }))).toBe(503)
    await breakJournal()
    expect(await post(signed(paid))).toBe(503)
    expect(await post(signed(taken))).toBe(503)
  })
})

it('an order is made once in Shopify when the journal was lost', async () => {
  const { shop, journal, start } = rig('shopify')
  for (const name of ['first', 'second']) {
    const { send, done, close } = await start()
    await send(paid)
    await done()
    await close()
    renameSync(journal, `${journal}-${name}`)
  }
  expect(shop.counts.creations).toBe(1)
})

it.each([
  ['is made again when WooCommerce has deleted its draft', 'request lost', 'processing'],
  ['is left alone when staff go on with it before the bridge learns that it is made', 'answer lost', 'completed'],
] as const)('an order %s', async (_, fault, status) => {
  const { shop, start } = rig('woocommerce', (call) => {
    if (call === 3) {
      shop.deleteDrafts()
      for (const order of shop.listed()) order.status = 'completed'
    }
    return call === 2 ? fault : undefined
  })
  const { send, done } = await start()
  await send(paid)
  await done()
  expect(shop.listed()).toMatchObject([{ status }])
})

it('the stock is left to a person when Shopify no longer knows the key of a change whose answer was lost', async () => {
  const { shop, start, clock } = rig('shopify', (call) => {
    if (call !== 2) return
    clock.later(1, () => clock.pass(24 * 3_600_000))
    return 'answer lost'
  })
  const { send, deadLetter } = await start()
  await send(taken)
  expect((await deadLetter())?.why).toMatch(/unknown whether.*gid:\/\/sluice\/StockChange\/sale_mug_1/)
  expect(shop.left()).toEqual([1900, 1000, 1000])
})

it('a change of the stock in WooCommerce waits for one that may still arrive, which would overwrite it', async () => {
  const { shop, clock, start } = rig('woocommerce', (call) => (call === 2 ? 'late effect' : undefined))
  const { mug } = kinds.woocommerce.sales
  const { send, done } = await start({ sales: { mug, cup: mug } })
  clock.pass(30_000)
  // The retry of the first change, and the second change.
  clock.waitFor(2)
  await send(taken, eventOf('stock.taken', 'cup', 1, opensAt, { quantity: 40 }))
  await done()
  expect(shop.left()).toEqual([1860, 1000, 1000])
})

describe('what cannot be worked off', () => {
  const { mug: missing, ...sales } = kinds.shopify.sales

  it('is dead-lettered with a reason, keeps its order, and is done after a start with the right config', async () => {
    const { shop, start } = rig('shopify')
    const first = await start({ sales })
    await first.send(paid)
    const why = 'the config has no sales.mug: add it, and start the bridge again'
    expect(await first.deadLetter()).toEqual({ id: 'mug-a_2', type: 'order.paid', why })
    const other = eventOf('order.paid', 'shirt-a', 2, opensAt, { ...mug, saleId: 'shirt', variant: 'red' })
    await first.send(cancelled, other)
    await expect.poll(shop.made).toHaveProperty('shirt-a')
    expect(shop.made()).not.toHaveProperty('mug-a')
    expect(first.lines).toContain(`Dead-lettered order.paid mug-a_2: ${why}`)
    expect(first.lines).toContain('order.cancelled mug-a_3 waits for mug-a_2, which is dead-lettered')
    await first.close()

    await (await start({ sales: { ...sales, mug: missing } })).done()
    expect(shop.made()).toMatchObject({ 'shirt-a': { isEnded: false }, 'mug-a': { isEnded: true } })
  })

  it('is closed by hand with --done', async () => {
    const { journal, start } = rig('shopify')
    const first = await start({ sales })
    await first.send(paid)
    await first.deadLetter()
    await first.close()
    const file = `${journal}.json`
    writeFileSync(file, JSON.stringify(first.given))
    const main = fileURLToPath(new URL('../../../examples/bridge/main.js', import.meta.url))
    const env = { ...process.env, ...environment }
    const run = (id: string) => promisify(execFile)(process.execPath, [main, file, '--done', id], { env })
    await expect(run('mug-b_2')).rejects.toMatchObject({ stderr: 'No event mug-b_2 is waiting.\n' })
    await run('mug-a_2')
    const second = await start({ sales })
    await second.send(paid)
    expect(await second.health()).toEqual({ waiting: 0, deadLetters: [] })
  })
})

it('the points of Shopify are enough for all orders, and are waited for when another program has used them', async () => {
  const { shop, start } = rig('shopify')
  const { send, done } = await start()
  const orders = Array.from({ length: 320 }, (_, index) => eventOf('order.paid', `mug-${index}`, 2, opensAt, mug))
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
    const { shop, start } = rig('shopify')
    shop.state.hasUniqueIds = false
    await expect(start()).rejects.toThrow('metafield sluice.order of orders exists, and its values are not unique')
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
    const { journal } = rig('shopify')
    writeFileSync(journal, '{"id":"a","ev\n{"id":"b","done":1}\n')
    await expect(openJournal(journal, Date.now)).rejects.toThrow(SyntaxError)
  })

  it('makes the journal smaller, keeps the ids of 45 days, and forgets a line that a crash has cut off', async () => {
    const { journal } = rig('shopify')
    const day = 86_400_000
    const opened = await openJournal(journal, () => 50 * day)
    await opened.append({ id: 'old', event: { type: 'order.paid', timestamp: '', data: {} } }, { id: 'old', done: day })
    await opened.append({ id: 'new', done: 49 * day }, { subject: 'mug-a', facts: { shop: '7' } })
    await opened.append({ subject: 'mug-b', facts: { ended: true, until: 49 * day } })
    await opened.close()
    appendFileSync(journal, '{"torn')
    const again = await openJournal(journal, () => 50 * day)
    stops.push(again.close)
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
