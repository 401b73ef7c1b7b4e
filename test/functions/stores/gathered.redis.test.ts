/** Reservations by commands that share requests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SaleId } from '../../../core/ids.ts'
import type { OrderMessage } from '../../../core/order-message.ts'
import { defaultThrottle } from '../../../core/sale.ts'
import { gatherCommands } from '../../../functions/stores/gathered.redis.ts'
import type { Commander } from '../../../redis/command.ts'
import { freeze } from '../../../redis/freeze.ts'
import { acknowledge } from '../../../redis/outbox.ts'
import { releaseAll } from '../../../redis/release.ts'
import { reserve } from '../../../redis/reserve.ts'
import { warmStock } from '../../../redis/warm.ts'
import { aPurchase, aSale, type RedisRig, startRedisRig, waitingIn } from '../../redis/support.ts'

let server: RedisRig
let stock: Commander
beforeAll(async () => {
  server = await startRedisRig()
  stock = gatherCommands(server.redis)
})
afterAll(() => server.stop())

const waiting = async (saleId: SaleId): Promise<OrderMessage[]> =>
  (await waitingIn(server.redis, saleId)).map(({ body }) => JSON.parse(body))

describe('the stock', () => {
  it('reserves once per order id, and remembers the first answer (S9, I5)', async () => {
    const sale = aSale()
    await warmStock(stock, sale)
    const purchase = aPurchase(sale, 1, 1, { quantity: 2 })
    expect(await reserve(stock, purchase)).toMatchObject({ kind: 'reserved', quantity: 2, remaining: 8 })
    expect(await reserve(stock, { ...purchase, now: 6_000 })).toMatchObject({
      kind: 'repeat',
      quantity: 2,
      remaining: 8,
      orderId: purchase.orderId,
    })
  })

  it('puts the message into the outbox with the reservation and out of it with the acknowledgement (O4)', async () => {
    const sale = aSale()
    await warmStock(stock, sale)
    const purchases = [1, 2, 3].map((shopper) => aPurchase(sale, shopper))
    const taken = await Promise.all(purchases.map((purchase) => reserve(stock, purchase)))
    const messages = taken.map((one) => (one.kind === 'reserved' ? one.message : undefined))
    const found = await waiting(sale.saleId)
    expect(found).toHaveLength(3)
    expect(found).toEqual(expect.arrayContaining(messages))
    await Promise.all(purchases.map(({ orderId }) => acknowledge(stock, sale.saleId, [orderId])))
    expect(await waiting(sale.saleId)).toEqual([])
  })

  it('takes nothing when a shopper asks for more than is left (S8)', async () => {
    const sale = aSale({ stock: 3, limitPerShopper: 3, maxPerOrder: 3 })
    await warmStock(stock, sale)
    await reserve(stock, aPurchase(sale, 1, 1, { quantity: 2 }))
    expect(await reserve(stock, aPurchase(sale, 2, 1, { quantity: 2 }))).toMatchObject({
      kind: 'sold-out',
      remaining: 1,
    })
    expect(await reserve(stock, aPurchase(sale, 3))).toMatchObject({ kind: 'reserved', remaining: 0 })
  })

  it('distinguishes an unlimited stock from a missing one (S4, S6, S18)', async () => {
    const sale = aSale({ stock: -1 })
    expect(await reserve(stock, aPurchase(sale, 1))).toEqual({ kind: 'unknown-sale' })
    await warmStock(stock, sale)
    expect(await reserve(stock, aPurchase(sale, 1))).toMatchObject({ kind: 'reserved', remaining: -1 })
  })

  it('finds a released order without units, and gives it none again (O9, I5)', async () => {
    const sale = aSale()
    await warmStock(stock, sale)
    const purchase = aPurchase(sale, 1, 1, { quantity: 2 })
    await reserve(stock, purchase)
    await releaseAll(stock, sale.saleId, [purchase])
    const { orderId } = purchase
    expect(await reserve(stock, purchase)).toEqual({ kind: 'repeat', quantity: 0, remaining: 10, orderId })
    expect(await reserve(stock, aPurchase(sale, 1, 2, { quantity: 2 }))).toMatchObject({ kind: 'reserved' })
    expect((await waiting(sale.saleId)).map((message) => message.orderId)).not.toContain(orderId)
  })

  it('rejects every reservation while it is frozen, and a repeat still finds its order (I6, I2)', async () => {
    const sale = aSale()
    await warmStock(stock, sale)
    await reserve(stock, aPurchase(sale, 1))
    await freeze(stock, sale.saleId)
    expect(await reserve(stock, aPurchase(sale, 2))).toEqual({ kind: 'unavailable' })
    expect(await reserve(stock, aPurchase(sale, 2, 1, { now: 9_000 }))).toEqual({ kind: 'unavailable' })
    expect(await reserve(stock, aPurchase(sale, 1))).toMatchObject({ kind: 'repeat', quantity: 1 })
  })

  it('limits the tries of a shopper in any window and returns how long to wait (R2)', async () => {
    const perShopper = { limit: 3, windowSeconds: 2 }
    const sale = aSale({ stock: 20, limitPerShopper: 8, throttle: { ...defaultThrottle, perShopper } })
    await warmStock(stock, sale)
    const at = (now: number, changes: object = {}) =>
      reserve(stock, aPurchase(sale, 1, now, { now, ...changes }))
    expect(await at(3_000)).toMatchObject({ kind: 'reserved' })
    expect(await at(3_100, { quantity: 9 })).toEqual({ kind: 'invalid-request' })
    expect(await at(3_200)).toMatchObject({ kind: 'reserved' })
    expect(await at(3_900)).toEqual({ kind: 'too-many-requests', retryAfterMs: 1_100 })
    expect(await at(4_999)).toEqual({ kind: 'too-many-requests', retryAfterMs: 1 })
    expect(await reserve(stock, aPurchase(sale, 1, 3_000))).toMatchObject({ kind: 'repeat' })
    expect(await at(5_000)).toMatchObject({ kind: 'reserved' })
    expect(await at(5_050)).toEqual({ kind: 'too-many-requests', retryAfterMs: 50 })
    expect(await reserve(stock, aPurchase(sale, 2))).toMatchObject({ kind: 'reserved' })
  })

  it('rejects each kind of invalid purchase with its own code (G2, I3)', async () => {
    const sale = aSale()
    await warmStock(stock, sale)
    const kindOf = async (changes: object) => (await reserve(stock, aPurchase(sale, 1, 1, changes))).kind
    expect(await kindOf({ now: 999 })).toBe('not-started')
    expect(await kindOf({ now: 9_000 })).toBe('ended')
    expect(await kindOf({ startToken: 'z'.repeat(43) })).toBe('stale-page')
    expect(await kindOf({ quantity: 3 })).toBe('invalid-request')
    expect(await kindOf({ quantity: 2 })).toBe('reserved')
    expect((await reserve(stock, aPurchase(sale, 1, 2))).kind).toBe('limit-reached')
  })
})
