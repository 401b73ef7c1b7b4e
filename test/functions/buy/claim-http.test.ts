/** Claims of red packets, which are orders of one unit; reserve-http.test.ts has what both share. */
import { beforeEach, describe, expect, it } from 'vitest'
import { purchaseApp, type ReservePorts } from '../../../functions/buy/reserve.ts'
import { forwardedRequest, type HttpRequest } from '../../../proof/simulation/parts/requests.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { release } from '../../../redis/orders/release.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { type MemoryQueue, memoryQueue } from '../../contract/fakes/queue.ts'
import { aRain, loadRain } from '../../redis/packets/rain.ts'
import { aSale, waitingIn } from '../../redis/support.ts'
import { type TestStore, testStore, useRedis } from '../../redis/test-store.ts'
import { behindUrl } from '../../world/function-url.ts'
import { type TestTelemetry, testTelemetry } from '../../world/telemetry.ts'

const sale = aRain([1221, 5])
const path = `/api/sales/${sale.saleId}/packets`
const good = { startToken: sale.startToken }
const gone = () => Promise.reject(new RedisUnavailable('gone'))

let stock: TestStore
let queue: MemoryQueue
let telemetry: TestTelemetry
let published: number[]
let ports: ReservePorts
let now: number

const redis = useRedis()
beforeEach(async () => {
  await loadRain(redis, sale, [1221, 5])
  stock = testStore(redis)
  queue = memoryQueue()
  telemetry = testTelemetry()
  published = []
  now = 5_000
  ports = {
    ...{ stock, queue, clock: () => now, demand: { count: () => undefined }, ...telemetry },
    soldOut: { publish: async (_, stockRevision) => void published.push(stockRevision) },
    admissions: { complete: async () => undefined },
  }
})

const ask = (request: HttpRequest) => behindUrl(telemetry, purchaseApp(ports))(request)
const claim = (who = 'ann', body: unknown = good, at = path, headers = {}) =>
  ask(forwardedRequest(who, 'POST', at, body, headers))
const booked = async () => (await readStock(redis, sale.saleId))?.booked

describe('POST /api/sales/{saleId}/packets', () => {
  it('answers 200 with the packet and what it holds, then 200 with the same packet (P2, P3, I5)', async () => {
    const packet = { packetId: `${sale.saleId}-p0`, amount: 1221, currency: 'CNY' }
    const first = await claim()
    expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(first.body).toEqual({ ...packet, remaining: 1 })
    const again = await claim('ann', good, path, { 'idempotency-key': 'another' })
    expect(again.status).toBe(200)
    expect(again.body).toEqual({ ...packet, repeat: true })
    expect(
      queue.messages.map(({ packet: sent }) => sent?.number),
      'the first may not have reached the queue',
    ).toEqual([0, 0])
    expect(await booked()).toBe(1)
    expect([telemetry.counted('Reserved'), telemetry.counted('Repeated')]).toEqual([1, 1])
  })

  it('queues an order of one unit with the packet, which stays in the outbox until it is written (P2, O2, O4)', async () => {
    // The gate has verified the challenge.
    await claim('ann', { ...good, challenge: 'eyJhIjoxfQ==' }, path, { 'x-admission': '1800000000' })
    const admitted = { second: 1_800_000_000, booked: 1, stockRevision: 0 }
    const packet = { number: 0, amount: 1221, currency: 'CNY' }
    expect(queue.messages).toMatchObject([{ shopperId: 'ann', quantity: 1, packet, admitted }])
    const [waiting] = await waitingIn(redis, sale.saleId)
    expect(JSON.parse(waiting?.body ?? '')).toMatchObject({ shopperId: 'ann', quantity: 1, packet })
  })

  it('answers 200 once the packet is handed out, even if queue and gate fail, and logs no shopper (I2)', async () => {
    queue.goDown()
    Object.assign(ports, { admissions: { complete: gone }, soldOut: { publish: gone } })
    expect(await claim('ann')).toMatchObject({ status: 200, body: { amount: 1221 } })
    expect(await claim('bob')).toMatchObject({ status: 200, body: { amount: 5, remaining: 0 } })
    expect(await waitingIn(redis, sale.saleId)).toHaveLength(2)
    expect(telemetry.counted('SendFailed')).toBe(2)
    expect(JSON.stringify(telemetry.lines)).not.toMatch(/"(ann|bob)"/)
  })

  it('answers 410 once every packet has been claimed, and notifies the gate (G4)', async () => {
    for (const who of ['ann', 'bob']) await claim(who)
    const soldOut = { code: 'sold-out', remaining: 0, lookup: '/api/wallet' }
    expect(await claim('cid')).toMatchObject({ status: 410, body: soldOut })
    expect(published).toEqual([0, 0])
    expect(await claim('ann'), 'a shopper with a packet keeps it').toMatchObject({
      status: 200,
      body: { repeat: true },
    })
  })

  it('answers 409 to a shopper whose order was rejected, and hands out no second packet (P3)', async () => {
    await claim('ann')
    const [message] = queue.messages
    await release(redis, sale.saleId, message === undefined ? [] : [message])
    for (const _ of ['once', 'again']) {
      expect(await claim('ann')).toMatchObject({ status: 409, body: { code: 'limit-reached' } })
    }
    expect(await claim('bob')).toMatchObject({ status: 200, body: { packetId: `${sale.saleId}-p0` } })
    expect(queue.messages).toHaveLength(2)
  })

  it.each([
    ['startToken', { startToken: 'short' }],
    ['challenge', { challenge: 7 }],
    ['amount', { amount: 1221 }],
  ])('rejects a bad %s by name and hands out nothing (S2)', async (field, change) => {
    const answer = await claim('ann', { ...good, ...change })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(await booked()).toBe(0)
  })

  it('rejects early, late, stale and paused claims, and those of goods, each with its own code (G2)', async () => {
    now = 999
    expect(await claim()).toMatchObject({ status: 425, body: { code: 'not-started', now: 999 } })
    now = 9_000
    expect(await claim()).toMatchObject({ status: 410, body: { code: 'ended', lookup: '/api/wallet' } })
    now = 5_000
    const stale = { status: 409, body: { code: 'stale-page', lookup: '/api/wallet' } }
    expect(await claim('ann', { startToken: 'y'.repeat(43) })).toMatchObject(stale)
    const goods = aSale()
    await warmStock(redis, goods)
    expect(await claim('ann', good, path.replace(sale.saleId, goods.saleId))).toMatchObject(stale)
    await warmStock(redis, { ...sale, flag: 'paused', version: 2 })
    expect(await claim()).toMatchObject({ status: 409, body: { code: 'paused' } })
    expect([queue.messages, published]).toEqual([[], []])
  })
})
