import { beforeEach, describe, expect, it } from 'vitest'
import { defaultThrottle } from '../../../core/sale/sale.ts'
import { purchaseApp } from '../../../functions/buy/reserve.ts'
import { forwardedRequest, type HttpRequest } from '../../../proof/simulation/parts/requests.ts'
import { readHolds } from '../../../redis/orders/holds.ts'
import { release } from '../../../redis/orders/release.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { memoryQueue } from '../../contract/fakes/queue.ts'
import { aSale, aSaleOfVariants } from '../../redis/support.ts'
import { type TestStore, testStore, useRedis } from '../../redis/test-store.ts'
import { behindUrl } from '../../world/function-url.ts'
import { testTelemetry } from '../../world/telemetry.ts'

const sale = aSale({ stock: 3, maxPerOrder: 2, limitPerShopper: 2 })
const path = `/api/sales/${sale.saleId}/orders`
const lookup = `/api/orders?sale=${sale.saleId}`
const good = { quantity: 1, startToken: sale.startToken }
let stock: TestStore
let now: number
let counted: string[]
let queue: ReturnType<typeof memoryQueue>
let published: number[]

const redis = useRedis()

beforeEach(async () => {
  stock = testStore(redis)
  await warmStock(redis, sale)
  now = 5_000
  counted = []
  queue = memoryQueue()
  published = []
})

/** A repeat may send the message again. */
const ordersSent = () => new Set(queue.messages.map(({ orderId }) => orderId)).size
const booked = async () => (await readStock(redis, sale.saleId))?.booked

async function ask(request: HttpRequest) {
  const telemetry = testTelemetry()
  const ports = {
    stock,
    queue,
    soldOut: { publish: async (_: unknown, stockRevision: number) => void published.push(stockRevision) },
    admissions: { complete: async () => {} },
    demand: { count: () => {} },
    clock: () => now,
    ...telemetry,
    meter: { count: (name: string) => void counted.push(name) },
  }
  return behindUrl(telemetry, purchaseApp(ports))(request)
}

const buy = (body: unknown, headers: Record<string, string> = {}) =>
  ask(forwardedRequest('ann', 'POST', path, body, headers))

describe('POST /api/sales/{saleId}/orders', () => {
  it('answers 202 with the order, then 200 with the same order (I5)', async () => {
    const first = await buy(good)
    expect(first.status).toBe(202)
    expect(first.body).toEqual({ orderId: expect.any(String), status: 'reserved', quantity: 1, remaining: 2 })
    expect(first.headers['cache-control']).toBe('no-store')
    expect(await buy(good)).toMatchObject({ status: 200, body: { ...first.body, remaining: 2 } })
  })

  it.each([
    ['https://shop.example/sales/phone/?a=1&utm_source=News.Letter-7&b=2', 'news.letter-7'],
    ['https://shop.example/sales/phone/?utm_source=x', 'x'],
    ['https://shop.example/sales/phone/?utm_source=ann%40example.com', undefined],
    [`https://shop.example/sales/phone/?utm_source=${'a'.repeat(65)}`, undefined],
    ['https://shop.example/sales/phone/?not_utm_source=x#?utm_source=y z', undefined],
    ['https://shop.example/sales/phone/', undefined],
  ])('keeps where the shopper came from, by the address of the page: %s', async (referer, source) => {
    expect(await buy(good, { referer })).toMatchObject({ status: 202 })
    expect(queue.messages.map((message) => message.source)).toEqual([source])
    expect(JSON.stringify(queue.messages)).not.toContain('shop.example')
  })

  it.each([
    ['quantity', { quantity: 0 }],
    ['quantity', { quantity: 3 }],
    ['startToken', { startToken: 'short' }],
    ['price', { price: 1 }],
  ])('rejects a bad %s by name and takes nothing (S2, S5)', async (field, change) => {
    const answer = await buy({ ...good, ...change })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(await booked()).toBe(0)
  })

  it.each(['', 'null', '[]', '"x"', '{', '{"quantity":NaN}'])('refuses the body %j', async (body) => {
    expect(await buy(body)).toMatchObject({ status: 400, body: { code: 'invalid-request' } })
  })

  it('asks a caller without the gate’s headers to sign in, and reads no other identity (I6)', async () => {
    const anonymous = forwardedRequest(undefined, 'POST', path, good, { authorization: 'Bearer x' })
    expect(await ask(anonymous)).toMatchObject({ status: 401, body: { code: 'sign-in-required' } })
    expect(await ask(forwardedRequest('a b', 'POST', path, good))).toMatchObject({ status: 401 })
    expect(await booked()).toBe(0)
  })

  it('answers unavailable when the gate knows a sale whose stock Redis has lost (P10, I6)', async () => {
    const answer = await ask(forwardedRequest('ann', 'POST', '/api/sales/lost-its-stock/orders', good))
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  })

  it('returns what is left when that is less than requested, and keeps it (S5, S8)', async () => {
    await ask(forwardedRequest('bob', 'POST', path, { ...good, quantity: 2 }))
    const answer = await buy({ ...good, quantity: 2 })
    expect(answer).toMatchObject({ status: 410, body: { code: 'sold-out', remaining: 1, lookup } })
    expect(await buy(good)).toMatchObject({ status: 202, body: { remaining: 0 } })
  })

  it('rejects early, late, stale and over-limit orders, each with its own code (G2, I3)', async () => {
    now = 999
    expect(await buy(good)).toMatchObject({ status: 425, body: { code: 'not-started', now: 999 } })
    now = 9_000
    expect(await buy(good)).toMatchObject({ status: 410, body: { code: 'ended', lookup } })
    now = 5_000
    expect(await buy({ ...good, startToken: 'y'.repeat(43) })).toMatchObject({ body: { code: 'stale-page', lookup } })
    await buy({ ...good, quantity: 2 }, { 'idempotency-key': 'one' })
    expect(await buy(good)).toMatchObject({ status: 409, body: { code: 'limit-reached' } })
  })

  it('answers 429 with the whole seconds until the next try may pass, and counts it (R2)', async () => {
    const perShopper = { limit: 1, windowSeconds: 60 }
    await warmStock(redis, { ...sale, throttle: { ...defaultThrottle, perShopper }, version: 2 })
    expect(await buy(good)).toMatchObject({ status: 202 })
    const other = { 'idempotency-key': 'another' }
    for (const [at, seconds] of [
      [5_000, 60],
      [5_001, 60],
      [6_000, 59],
      [8_999, 57],
    ] as const) {
      now = at
      const answer = await buy(good, other)
      expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': String(seconds) } })
      expect(answer.body).toMatchObject({ code: 'too-many-requests', retryAfterSeconds: seconds })
    }
    expect(await buy(good)).toMatchObject({ status: 200 })
    expect(counted).toEqual(['Reserved', 'Throttled', 'Throttled', 'Throttled', 'Throttled', 'Repeated'])
    expect([ordersSent(), published]).toEqual([1, []])
  })

  it('answers a repeat of a released order with that order and no units (O9, I5)', async () => {
    const first = await buy({ ...good, quantity: 2 })
    const { orderId } = first.body
    const [hold] = (await readHolds(redis, sale.saleId, new Set([orderId]))).values()
    if (hold === undefined) throw new Error('the order holds nothing')
    await release(redis, sale.saleId, [hold])
    const repeat = await buy({ ...good, quantity: 2 })
    expect(repeat.status).toBe(200)
    expect(repeat.body).toEqual({ orderId, status: 'cancelled', quantity: 0, remaining: 3 })
    expect([await booked(), queue.messages.length]).toEqual([0, 1])
  })

  it('rejects new orders while the stock is recovered, and keeps the reserved ones (I6, I2)', async () => {
    const first = await buy(good)
    await freeze(redis, sale.saleId)
    expect(await buy(good)).toMatchObject({ status: 200, body: { ...first.body, remaining: 2 } })
    const refused = await ask(forwardedRequest('bob', 'POST', path, good))
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(Number(refused.headers['retry-after'])).toBe(refused.body.retryAfterSeconds)
    expect([1, 2, 3]).toContain(refused.body.retryAfterSeconds)
    expect(await booked()).toBe(1)
    expect([ordersSent(), published, counted.at(-1)]).toEqual([1, [], 'Refused'])
  })

  it('answers 503 with a Retry-After of one to three seconds while Redis is unavailable (I6)', async () => {
    stock.goDown()
    const answer = await buy(good)
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(Number(answer.headers['retry-after'])).toBe(answer.body.retryAfterSeconds)
    expect([1, 2, 3]).toContain(answer.body.retryAfterSeconds)
    expect(queue.messages).toEqual([])
  })
})

describe('a purchase of a variant', () => {
  const ofVariants = aSaleOfVariants({ s: 1, m: 2 })
  const { saleId, startToken } = ofVariants
  const order = (shopper: string, body: object) =>
    ask(forwardedRequest(shopper, 'POST', `/api/sales/${saleId}/orders`, { startToken, ...body }, {}))

  beforeEach(async () => {
    await warmStock(redis, ofVariants)
  })

  it('is answered with the variant, and so is its repeat (N1, I5)', async () => {
    const first = await order('ann', { quantity: 2, variant: 'm' })
    expect(first).toMatchObject({ status: 202, body: { quantity: 2, variant: 'm', remaining: 1 } })
    const again = await order('ann', { quantity: 2, variant: 'm' })
    expect(again).toMatchObject({ status: 200, body: first.body })
    const held = await readHolds(redis, saleId, new Set([first.body.orderId]))
    await release(redis, saleId, [...held.values()])
    const after = await order('ann', { quantity: 2, variant: 'm' })
    expect(after).toMatchObject({ status: 200, body: { status: 'cancelled', quantity: 0 } })
    expect(after.body).not.toHaveProperty('variant')
  })

  it('is refused with the variant, where that has too few units, and takes none (N1, S8)', async () => {
    await order('ann', { quantity: 1, variant: 's' })
    expect(await order('bob', { quantity: 1, variant: 's' })).toMatchObject({
      status: 410,
      body: { code: 'sold-out', detail: 'Sold out in this choice.', variant: 's', remaining: 2 },
    })
    await order('cid', { quantity: 1, variant: 'm' })
    const few = await order('bob', { quantity: 2, variant: 'm' })
    expect(few).toMatchObject({ status: 410, body: { code: 'sold-out', variant: 'm', remaining: 1 } })
    expect(few.body.detail).toBe('There are fewer units left than you asked for.')
  })

  it('that the sale does not know is refused by name (N1, S2)', async () => {
    const wrong = { status: 400, body: { code: 'invalid-request', field: 'variant' } }
    expect(await order('ann', { quantity: 1, variant: 'xl' })).toMatchObject(wrong)
    const tooMany = { status: 400, body: { code: 'invalid-request', field: 'quantity' } }
    expect(await order('bob', { quantity: 3, variant: 'm' })).toMatchObject(tooMany)
    expect(await order('cid', { quantity: 1 })).toMatchObject(wrong)
    expect(await buy({ ...good, quantity: 1, variant: 's' })).toMatchObject(wrong)
    expect(await readStock(redis, saleId)).toMatchObject({ booked: 0 })
  })
})
