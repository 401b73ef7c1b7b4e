/** The Redis side of `control`: the warmed stock and the gate's view of a sale. */
import { describe, expect, it } from 'vitest'
import { redisSoldOutPublisher } from '../../functions/stores/sold-out.redis.ts'
import { addStock } from '../../redis/add-stock.ts'
import { gateFactsOf, publishRestocked, publishSoldOut, readGate, setGate } from '../../redis/gate.ts'
import { release } from '../../redis/release.ts'
import { readAdmissions, replenish } from '../../redis/replenish.ts'
import { reserve } from '../../redis/reserve.ts'
import { ordersOfShopper, readHold, readStock, removeStock } from '../../redis/stock.ts'
import { stockDefinition } from '../../redis/stock-definition.ts'
import { flip, warmStock } from '../../redis/warm.ts'
import { aPurchase, aSale, commandCounts, raw, shopperIdOf, tokenOf } from './support.ts'
import { useRedis } from './test-store.ts'

const redis = useRedis()

describe('the stock', () => {
  it('is warmed once; later definitions leave the counters alone (G1, S18)', async () => {
    const sale = aSale({ stock: 10, version: 1 })
    await warmStock(redis, sale)
    await addStock(redis, sale.saleId, { number: 2, delta: 5 })
    await warmStock(redis, { ...sale, version: 2, stock: 99 })
    expect(await readStock(redis, sale.saleId)).toMatchObject({ total: 15, booked: 0 })
  })

  it('warmed again after a loss knows the changes that its units already include (I1, I5)', async () => {
    const sale = aSale({ stock: 15 })
    await warmStock(redis, { ...sale, lastChange: 4 })
    expect(await addStock(redis, sale.saleId, { number: 4, delta: 5 })).toMatchObject({
      kind: 'repeat',
      total: 15,
    })
    await addStock(redis, sale.saleId, { number: 6, delta: 1 })
    expect(await readStock(redis, sale.saleId)).toMatchObject({ total: 16 })
  })

  it('flips by version: once, again, too late, and not without a stock', async () => {
    const sale = aSale({ version: 1 })
    expect(await flip(redis, sale)).toEqual({ kind: 'unknown-sale' })
    await warmStock(redis, sale)
    expect(await flip(redis, { ...sale, version: 3 })).toEqual({ kind: 'applied', version: 3 })
    expect(await flip(redis, { ...sale, version: 3 })).toEqual({ kind: 'applied', version: 3 })
    expect(await flip(redis, { ...sale, version: 2 })).toEqual({ kind: 'superseded', version: 3 })
  })

  it('has the whole definition of the newest version, in any order of arrival', async () => {
    const early = aSale({ version: 2, flag: 'off', epoch: 0, startToken: null, limitPerShopper: 5 })
    const edited = {
      ...early,
      version: 3,
      limitPerShopper: 2,
      throttle: { ...early.throttle, perShopper: { limit: 9, windowSeconds: 7 } },
    }
    const open = {
      ...edited,
      version: 4,
      flag: 'on',
      epoch: 1,
      startToken: tokenOf(1),
      endsAt: 8_000,
    } as const
    await warmStock(redis, early)
    for (const change of [
      () => flip(redis, open),
      () => warmStock(redis, edited),
      () => flip(redis, edited),
      () => warmStock(redis, open),
    ]) {
      await change()
      expect((await readStock(redis, early.saleId))?.definition).toEqual(
        stockDefinition(open, { frozen: false }),
      )
    }
  })

  it('applies each change once, and never goes below what is booked (I5)', async () => {
    const sale = aSale({ stock: 10 })
    const add = (number: number, delta: number) => addStock(redis, sale.saleId, { number, delta })
    expect(await add(2, 1)).toEqual({ kind: 'unknown-sale' })
    await warmStock(redis, sale)
    const raised = { total: 15, booked: 0, stockRevision: 1 }
    expect(await add(2, 5)).toEqual({ kind: 'changed', ...raised })
    expect(await add(2, 5)).toEqual({ kind: 'repeat', ...raised })
    expect(await add(4, -16)).toEqual({ kind: 'below-booked', total: 15, booked: 0 })
    expect(await add(6, 5)).toEqual({ kind: 'changed', total: 20, booked: 0, stockRevision: 2 })
    expect(await add(4, -16)).toEqual({ kind: 'below-booked', total: 20, booked: 0 })
    expect(await add(2, 5)).toEqual({ kind: 'repeat', total: 20, booked: 0, stockRevision: 2 })
    const endless = aSale({ stock: -1 })
    await warmStock(redis, endless)
    expect(await addStock(redis, endless.saleId, { number: 2, delta: 1 })).toEqual({ kind: 'unlimited' })
  })

  it('is empty after removal, so that nothing is left to sell', async () => {
    const sale = aSale()
    await warmStock(redis, sale)
    await removeStock(redis, sale.saleId)
    expect(await readStock(redis, sale.saleId)).toBeUndefined()
  })
})

describe('the gate in Redis', () => {
  it('returns the version it has, for `reconcile` to compare (I6)', async () => {
    const sale = aSale({ version: 7, flag: 'paused' })
    expect(await readGate(redis, sale.saleId)).toBeUndefined()
    await setGate(redis, gateFactsOf(sale, { frozen: false }))
    expect(await readGate(redis, sale.saleId)).toMatchObject({ version: 7, flag: 'paused', frozen: false })
    await setGate(redis, gateFactsOf(sale, { frozen: true }))
    expect(await readGate(redis, sale.saleId)).toMatchObject({ version: 7, flag: 'paused', frozen: true })
  })

  it('receives the facts of a sale, and sold out and restocked by revision (G4, G7)', async () => {
    const sale = aSale({ version: 2 })
    await setGate(redis, gateFactsOf(sale, { frozen: false }))
    expect(await readGate(redis, sale.saleId)).toMatchObject({
      flag: 'on',
      startToken: sale.startToken,
      rules: { throttle: sale.throttle, minLevel: sale.minLevel, challenge: sale.challenge },
      nextStartsAt: null,
      soldOut: false,
    })
    await publishSoldOut(redis, sale.saleId, 0)
    expect((await readGate(redis, sale.saleId))?.soldOut).toBe(true)
    await publishRestocked(redis, sale.saleId, 1)
    expect((await readGate(redis, sale.saleId))?.soldOut).toBe(false)
  })

  it('receives the next window, and none after the last (R7)', async () => {
    const windows = [
      { startsAt: 1_000, endsAt: 9_000, stock: 10 },
      { startsAt: 20_000, endsAt: 29_000, stock: 5 },
    ]
    const sale = aSale({ windows })
    await setGate(redis, gateFactsOf(sale, { frozen: false }))
    expect(await readGate(redis, sale.saleId)).toMatchObject({ nextStartsAt: 20_000 })
    await setGate(redis, gateFactsOf({ ...sale, windowIndex: 1, version: 2 }, { frozen: false }))
    expect(await readGate(redis, sale.saleId)).toMatchObject({ nextStartsAt: null, version: 2 })
  })

  it('receives one sold-out revision once per environment, from any caller (G4)', async () => {
    const sale = aSale()
    await setGate(redis, gateFactsOf(sale, { frozen: false }))
    const publisher = redisSoldOutPublisher(redis)
    await publisher.publish(sale.saleId, 0)
    await raw(redis, 'CONFIG', 'RESETSTAT')
    await Promise.all(Array.from({ length: 20 }, () => publisher.publish(sale.saleId, 0)))
    expect((await commandCounts(redis)).get('evalsha')).toBeUndefined()
    await publisher.publish(sale.saleId, 1)
    expect((await commandCounts(redis)).get('evalsha')).toBe(1)
  })

  it('is notified again after an outage (I6)', async () => {
    const sale = aSale()
    const publisher = redisSoldOutPublisher({ exec: () => Promise.reject(new Error('unavailable')) })
    await expect(publisher.publish(sale.saleId, 0)).rejects.toThrow()
    await expect(publisher.publish(sale.saleId, 0)).rejects.toThrow()
  })
})

describe('the admissions of the gate', () => {
  it('follow from the newest count, with the ratio that was published last (G5, G7)', async () => {
    const { saleId } = aSale()
    const remaining = async () => (await readAdmissions(redis, saleId))?.remaining
    expect(await remaining()).toBeUndefined()
    await replenish(redis, saleId, { asOf: 1_000, total: 10, booked: 0, stockRevision: 0, epoch: 1 })
    expect(await remaining()).toBeUndefined()
    await replenish(redis, saleId, {
      asOf: 1_000,
      total: 10,
      booked: 0,
      stockRevision: 0,
      epoch: 1,
      ratio: 1.25,
    })
    expect(await readAdmissions(redis, saleId)).toMatchObject({ remaining: 13, out: 0 })
    await replenish(redis, saleId, { asOf: 2_000, total: 10, booked: 4, stockRevision: 0, epoch: 1 })
    expect(await remaining()).toBe(9)
    await replenish(redis, saleId, { asOf: 1_999, total: 99, booked: 0, stockRevision: 0, epoch: 1 })
    expect(await remaining()).toBe(9)
    await replenish(redis, saleId, { asOf: 2_500, total: 10, booked: 10, stockRevision: 0, epoch: 1 })
    expect(await remaining()).toBe(0)
    await replenish(redis, saleId, { asOf: 3_000, total: 0, booked: 4, stockRevision: 0, epoch: 1 })
    expect(await remaining()).toBe(0)
    await replenish(redis, saleId, { asOf: 3_000, total: -1, booked: 4, stockRevision: 0, epoch: 1 })
    expect(await remaining()).toBe(-1)
  })
})

describe('reservations in Redis', () => {
  it('are found by their shopper, by themselves and as a list (I2)', async () => {
    const sale = aSale({ limitPerShopper: 4 })
    await warmStock(redis, sale)
    const [first, second] = [aPurchase(sale, 1, 1, { quantity: 2 }), aPurchase(sale, 1, 2)]
    for (const purchase of [first, second, aPurchase(sale, 2)]) await reserve(redis, purchase)
    const { orderId, shopperId } = first
    expect(await readHold(redis, orderId, shopperId)).toEqual({
      orderId,
      shopperId,
      quantity: 2,
      reservedAt: 5_000,
    })
    expect(await ordersOfShopper(redis, sale.saleId, shopperId)).toMatchObject([
      { orderId },
      { orderId: second.orderId },
    ])
    expect(await readHold(redis, aPurchase(sale, 3).orderId, shopperIdOf(3))).toBeUndefined()
    expect(await ordersOfShopper(redis, sale.saleId, shopperIdOf(3))).toEqual([])
  })

  it('that were released hold nothing, and their shopper still finds them (O9)', async () => {
    const sale = aSale()
    await warmStock(redis, sale)
    const { orderId, shopperId, ...rest } = aPurchase(sale, 1)
    await reserve(redis, { orderId, shopperId, ...rest })
    await release(redis, sale.saleId, [{ orderId, shopperId }])
    expect(await readHold(redis, orderId, shopperId)).toBeUndefined()
    expect(await ordersOfShopper(redis, sale.saleId, shopperId)).toMatchObject([{ orderId }])
  })
})
