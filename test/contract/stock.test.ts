/** One suite for every stock that `reserve` may be wired to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SaleId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/order-message.ts'
import { defaultThrottle, type Sale } from '../../core/sale.ts'
import type { Holdings } from '../../functions/repair/ports.ts'
import { gatherCommands } from '../../functions/stores/gathered.redis.ts'
import { redisHoldings } from '../../functions/stores/holdings.redis.ts'
import { acknowledge } from '../../redis/outbox.ts'
import { reserve } from '../../redis/reserve.ts'
import { warm } from '../../redis/warm.ts'
import { aPurchase, aSale, type RedisRig, startRedisRig, waitingIn } from '../redis/support.ts'
import { memoryHoldings } from './fakes/holdings.ts'
import { memoryStock, type Reserver } from './fakes/stock.ts'

type Rig = {
  stock: Pick<Reserver, 'take'>
  holdings: Pick<Holdings, 'release' | 'freeze'>
  outbox: Pick<Reserver, 'acknowledge'>
  put: (sale: Sale) => Promise<void>
  waiting: (saleId: SaleId) => Promise<OrderMessage[]>
  stop: () => Promise<void>
}

async function inMemory(): Promise<Rig> {
  const stock = memoryStock()
  return {
    stock,
    holdings: memoryHoldings(stock),
    outbox: stock,
    put: async (sale) => stock.put(sale),
    waiting: async (saleId) => stock.waiting(saleId),
    stop: async () => {},
  }
}

async function inRedis(): Promise<Rig> {
  const rig: RedisRig = await startRedisRig()
  const gathered = gatherCommands(rig.redis)
  return {
    stock: { take: (purchase) => reserve(gathered, purchase) },
    outbox: { acknowledge: (saleId, orderId) => acknowledge(gathered, saleId, [orderId]) },
    holdings: redisHoldings(rig.redis),
    put: async (sale) => void (await warm(rig.redis, sale)),
    waiting: async (saleId) => {
      const messages = await waitingIn(rig.redis, saleId)
      return messages.map(({ body }) => JSON.parse(body))
    },
    stop: rig.stop,
  }
}

describe.each([
  ['memory', inMemory],
  ['Redis', inRedis],
])('the stock in %s', (_name, start) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await start()
  })
  afterAll(() => rig.stop())

  it('reserves once per order id, and remembers the first answer (S9, I5)', async () => {
    const sale = aSale()
    await rig.put(sale)
    const purchase = aPurchase(sale, 1, 1, { quantity: 2 })
    expect(await rig.stock.take(purchase)).toMatchObject({ kind: 'reserved', quantity: 2, remaining: 8 })
    expect(await rig.stock.take({ ...purchase, now: 6_000 })).toMatchObject({
      kind: 'repeat',
      quantity: 2,
      remaining: 8,
      orderId: purchase.orderId,
    })
  })

  it('puts the message into the outbox with the reservation and out of it with the acknowledgement (O4)', async () => {
    const sale = aSale()
    await rig.put(sale)
    const purchases = [1, 2, 3].map((shopper) => aPurchase(sale, shopper))
    const taken = await Promise.all(purchases.map((purchase) => rig.stock.take(purchase)))
    const messages = taken.map((one) => (one.kind === 'reserved' ? one.message : undefined))
    const waiting = await rig.waiting(sale.saleId)
    expect(waiting).toHaveLength(3)
    expect(waiting).toEqual(expect.arrayContaining(messages))
    await Promise.all(purchases.map(({ orderId }) => rig.outbox.acknowledge(sale.saleId, orderId)))
    expect(await rig.waiting(sale.saleId)).toEqual([])
  })

  it('keeps what it cannot give: asking for more than is left takes nothing (S8)', async () => {
    const sale = aSale({ stock: 3, limitPerShopper: 3, maxPerOrder: 3 })
    await rig.put(sale)
    await rig.stock.take(aPurchase(sale, 1, 1, { quantity: 2 }))
    expect(await rig.stock.take(aPurchase(sale, 2, 1, { quantity: 2 }))).toMatchObject({
      kind: 'sold-out',
      remaining: 1,
    })
    expect(await rig.stock.take(aPurchase(sale, 3))).toMatchObject({ kind: 'reserved', remaining: 0 })
  })

  it('knows the unlimited stock, and never takes a missing one for it (S4, S6, S18)', async () => {
    const sale = aSale({ stock: -1 })
    expect(await rig.stock.take(aPurchase(sale, 1))).toEqual({ kind: 'unknown-sale' })
    await rig.put(sale)
    expect(await rig.stock.take(aPurchase(sale, 1))).toMatchObject({ kind: 'reserved', remaining: -1 })
  })

  it('finds an order that was given back with no units, and gives it none again (O9, I5)', async () => {
    const sale = aSale()
    await rig.put(sale)
    const purchase = aPurchase(sale, 1, 1, { quantity: 2 })
    await rig.stock.take(purchase)
    await rig.holdings.release(sale.saleId, [purchase])
    const { orderId } = purchase
    expect(await rig.stock.take(purchase)).toEqual({ kind: 'repeat', quantity: 0, remaining: 10, orderId })
    expect(await rig.stock.take(aPurchase(sale, 1, 2, { quantity: 2 }))).toMatchObject({ kind: 'reserved' })
    expect((await rig.waiting(sale.saleId)).map((message) => message.orderId)).not.toContain(orderId)
  })

  it('lets nobody take units while it is frozen, and a repeat find its order (I6, I2)', async () => {
    const sale = aSale()
    await rig.put(sale)
    await rig.stock.take(aPurchase(sale, 1))
    await rig.holdings.freeze(sale.saleId)
    expect(await rig.stock.take(aPurchase(sale, 2))).toEqual({ kind: 'unavailable' })
    expect(await rig.stock.take(aPurchase(sale, 2, 1, { now: 9_000 }))).toEqual({ kind: 'unavailable' })
    expect(await rig.stock.take(aPurchase(sale, 1))).toMatchObject({ kind: 'repeat', quantity: 1 })
  })

  it('takes so many tries of a shopper in any window and says how long to wait (R2)', async () => {
    const perShopper = { limit: 3, windowSeconds: 2 }
    const sale = aSale({ stock: 20, limitPerShopper: 8, throttle: { ...defaultThrottle, perShopper } })
    await rig.put(sale)
    const at = (now: number, changes: object = {}) =>
      rig.stock.take(aPurchase(sale, 1, now, { now, ...changes }))
    expect(await at(3_000)).toMatchObject({ kind: 'reserved' })
    expect(await at(3_100, { quantity: 9 })).toEqual({ kind: 'invalid-request' })
    expect(await at(3_200)).toMatchObject({ kind: 'reserved' })
    expect(await at(3_900)).toEqual({ kind: 'too-many-requests', retryAfterMs: 1_100 })
    expect(await at(4_999)).toEqual({ kind: 'too-many-requests', retryAfterMs: 1 })
    expect(await rig.stock.take(aPurchase(sale, 1, 3_000))).toMatchObject({ kind: 'repeat' })
    expect(await at(5_000)).toMatchObject({ kind: 'reserved' })
    expect(await at(5_050)).toEqual({ kind: 'too-many-requests', retryAfterMs: 50 })
    expect(await rig.stock.take(aPurchase(sale, 2))).toMatchObject({ kind: 'reserved' })
  })

  it('refuses each wrong purchase by its own name (G2, I3)', async () => {
    const sale = aSale()
    await rig.put(sale)
    const kindOf = async (changes: object) => (await rig.stock.take(aPurchase(sale, 1, 1, changes))).kind
    expect(await kindOf({ now: 999 })).toBe('not-started')
    expect(await kindOf({ now: 9_000 })).toBe('ended')
    expect(await kindOf({ startToken: 'z'.repeat(43) })).toBe('stale-page')
    expect(await kindOf({ quantity: 3 })).toBe('invalid-request')
    expect(await kindOf({ quantity: 2 })).toBe('reserved')
    expect((await rig.stock.take(aPurchase(sale, 1, 2))).kind).toBe('limit-reached')
  })
})
