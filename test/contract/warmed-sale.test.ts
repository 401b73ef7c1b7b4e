/** One suite for the Redis side of `control`: the stock and the gate's facts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stock } from '../../functions/sales/ports.ts'
import type { StockReader } from '../../functions/sales/snapshots.ts'
import { redisHolds } from '../../functions/stores/holds.redis.ts'
import {
  redisAdmissionsReader,
  redisGate,
  redisGateReader,
  redisStock,
} from '../../functions/stores/sales.redis.ts'
import { redisSoldOutPublisher } from '../../functions/stores/sold-out.redis.ts'
import { redisStockReader } from '../../functions/stores/stock-readers.redis.ts'
import { readGate } from '../../redis/gate.ts'
import { release } from '../../redis/release.ts'
import { reserve } from '../../redis/reserve.ts'
import { stockDefinition } from '../../redis/stock-definition.ts'
import { memoryGate, memoryRedis } from '../functions/control/support.ts'
import {
  aPurchase,
  aSale,
  commandCounts,
  type RedisRig,
  raw,
  shopperIdOf,
  startRedisRig,
  tokenOf,
} from '../redis/support.ts'

let redis: RedisRig
beforeAll(async () => {
  redis = await startRedisRig()
})
afterAll(() => redis.stop())

type Rig = { stock: Stock; read: StockReader['read'] }

function inMemory(): Rig {
  const stock = memoryRedis([])
  return { stock, read: stock.read }
}

function inRedis(): Rig {
  return { stock: redisStock(redis.redis), read: redisStockReader(redis.redis).read }
}

describe.each([
  ['memory', inMemory],
  ['Redis', inRedis],
])('the warmed stock in %s', (_name, start) => {
  it('is warmed once; later definitions leave the counters unchanged (G1, S18)', async () => {
    const { stock, read } = start()
    const sale = aSale({ stock: 10, version: 1 })
    await stock.warm(sale)
    await stock.add(sale.saleId, { number: 2, delta: 5 })
    await stock.warm({ ...sale, version: 2, stock: 99 })
    expect(await read(sale.saleId)).toMatchObject({ total: 15, booked: 0 })
  })

  it('warmed again after a loss records the changes that its units already contain (I1, I5)', async () => {
    const { stock, read } = start()
    const sale = aSale({ stock: 15 })
    await stock.warm({ ...sale, lastChange: 4 })
    expect(await stock.add(sale.saleId, { number: 4, delta: 5 })).toMatchObject({ kind: 'repeat', total: 15 })
    await stock.add(sale.saleId, { number: 6, delta: 1 })
    expect(await read(sale.saleId)).toMatchObject({ total: 16 })
  })

  it('flips by version: once, again, too late, and not without a stock', async () => {
    const { stock } = start()
    const sale = aSale({ version: 1 })
    expect(await stock.flip(sale)).toEqual({ kind: 'unknown-sale' })
    await stock.warm(sale)
    expect(await stock.flip({ ...sale, version: 3 })).toEqual({ kind: 'applied', version: 3 })
    expect(await stock.flip({ ...sale, version: 3 })).toEqual({ kind: 'applied', version: 3 })
    expect(await stock.flip({ ...sale, version: 2 })).toEqual({ kind: 'superseded', version: 3 })
  })

  it('has the whole definition of the newest version, in any order of arrival', async () => {
    const { stock, read } = start()
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
    await stock.warm(early)
    for (const change of [
      () => stock.flip(open),
      () => stock.warm(edited),
      () => stock.flip(edited),
      () => stock.warm(open),
    ]) {
      await change()
      expect((await read(early.saleId))?.definition).toEqual(stockDefinition(open, { frozen: false }))
    }
  })

  it('changes the stock once per change and never below the reserved units (I5)', async () => {
    const { stock } = start()
    const sale = aSale({ stock: 10 })
    const add = (number: number, delta: number) => stock.add(sale.saleId, { number, delta })
    expect(await add(2, 1)).toEqual({ kind: 'unknown-sale' })
    await stock.warm(sale)
    const raised = { total: 15, booked: 0, stockRevision: 1 }
    expect(await add(2, 5)).toEqual({ kind: 'changed', ...raised })
    expect(await add(2, 5)).toEqual({ kind: 'repeat', ...raised })
    expect(await add(4, -16)).toEqual({ kind: 'below-booked', total: 15, booked: 0 })
    expect(await add(6, 5)).toEqual({ kind: 'changed', total: 20, booked: 0, stockRevision: 2 })
    expect(await add(4, -16)).toEqual({ kind: 'below-booked', total: 20, booked: 0 })
    expect(await add(2, 5)).toEqual({ kind: 'repeat', total: 20, booked: 0, stockRevision: 2 })
    const endless = aSale({ stock: -1 })
    await stock.warm(endless)
    expect(await stock.add(endless.saleId, { number: 2, delta: 1 })).toEqual({ kind: 'unlimited' })
  })

  it('is empty after removal, so that nothing is left to sell', async () => {
    const { stock, read } = start()
    const sale = aSale()
    await stock.warm(sale)
    await stock.remove(sale.saleId)
    expect(await read(sale.saleId)).toBeUndefined()
  })
})

describe('the gate in Redis', () => {
  it('returns its version, for a repair to compare with (I6)', async () => {
    const { read } = redisGateReader(redis.redis)
    const sale = aSale({ version: 7, flag: 'paused' })
    expect(await read(sale.saleId)).toBeUndefined()
    await redisGate(redis.redis).set(sale, { frozen: false })
    expect(await read(sale.saleId)).toMatchObject({ version: 7, flag: 'paused', frozen: false })
    await redisGate(redis.redis).set(sale, { frozen: true })
    expect(await read(sale.saleId)).toMatchObject({ version: 7, flag: 'paused', frozen: true })
  })

  it('gets the facts of a sale, and sold-out and restocked by revision (G4, G7)', async () => {
    const gate = redisGate(redis.redis)
    const sale = aSale({ version: 2 })
    await gate.set(sale, { frozen: false })
    expect(await readGate(redis.redis, sale.saleId)).toMatchObject({
      flag: 'on',
      startToken: sale.startToken,
      rules: { throttle: sale.throttle, minLevel: sale.minLevel, challenge: sale.challenge },
      nextStartsAt: null,
      soldOut: false,
    })
    await gate.publishSoldOut(sale.saleId, 0)
    expect((await readGate(redis.redis, sale.saleId))?.soldOut).toBe(true)
    await gate.publishRestocked(sale.saleId, 1)
    expect((await readGate(redis.redis, sale.saleId))?.soldOut).toBe(false)
  })

  it('gets the next window, and nothing once there is none (R7)', async () => {
    const gate = redisGate(redis.redis)
    const windows = [
      { startsAt: 1_000, endsAt: 9_000, stock: 10 },
      { startsAt: 20_000, endsAt: 29_000, stock: 5 },
    ]
    const sale = aSale({ windows })
    await gate.set(sale, { frozen: false })
    expect(await readGate(redis.redis, sale.saleId)).toMatchObject({ nextStartsAt: 20_000 })
    await gate.set({ ...sale, windowIndex: 1, version: 2 }, { frozen: false })
    expect(await readGate(redis.redis, sale.saleId)).toMatchObject({ nextStartsAt: null, version: 2 })
  })

  it('gets one sold-out revision once per environment, for any number of requests (G4)', async () => {
    const sale = aSale()
    await redisGate(redis.redis).set(sale, { frozen: false })
    const sign = redisSoldOutPublisher(redis.redis)
    await sign.publish(sale.saleId, 0)
    await raw(redis.redis, 'CONFIG', 'RESETSTAT')
    await Promise.all(Array.from({ length: 20 }, () => sign.publish(sale.saleId, 0)))
    expect((await commandCounts(redis.redis)).get('evalsha')).toBeUndefined()
    await sign.publish(sale.saleId, 1)
    expect((await commandCounts(redis.redis)).get('evalsha')).toBe(1)
  })

  it('gets it again after it could not be reached (I6)', async () => {
    const sale = aSale()
    const sign = redisSoldOutPublisher({ exec: () => Promise.reject(new Error('unavailable')) })
    await expect(sign.publish(sale.saleId, 0)).rejects.toThrow()
    await expect(sign.publish(sale.saleId, 0)).rejects.toThrow()
  })
})

function gateInMemory() {
  const gate = memoryGate([])
  return { gate, admissions: gate.admissionsReader }
}

function gateInRedis() {
  return { gate: redisGate(redis.redis), admissions: redisAdmissionsReader(redis.redis) }
}

describe.each([
  ['memory', gateInMemory],
  ['Redis', gateInRedis],
])('the admissions of the gate in %s', (_name, start) => {
  it('follow from the latest comparison, with the last published ratio (G5, G7)', async () => {
    const { gate, admissions } = start()
    const { saleId } = aSale()
    const remaining = async () => (await admissions.read(saleId))?.remaining
    expect(await remaining()).toBeUndefined()
    await gate.replenish(saleId, { asOf: 1_000, total: 10, booked: 0, stockRevision: 0, epoch: 1 })
    expect(await remaining()).toBeUndefined()
    await gate.replenish(saleId, {
      asOf: 1_000,
      total: 10,
      booked: 0,
      stockRevision: 0,
      epoch: 1,
      ratio: 1.25,
    })
    expect(await admissions.read(saleId)).toMatchObject({ remaining: 13, out: 0 })
    await gate.replenish(saleId, { asOf: 2_000, total: 10, booked: 4, stockRevision: 0, epoch: 1 })
    expect(await remaining()).toBe(9)
    await gate.replenish(saleId, { asOf: 1_999, total: 99, booked: 0, stockRevision: 0, epoch: 1 })
    expect(await remaining()).toBe(9)
    await gate.replenish(saleId, { asOf: 2_500, total: 10, booked: 10, stockRevision: 0, epoch: 1 })
    expect(await remaining()).toBe(0)
    await gate.replenish(saleId, { asOf: 3_000, total: 0, booked: 4, stockRevision: 0, epoch: 1 })
    expect(await remaining()).toBe(0)
    await gate.replenish(saleId, { asOf: 3_000, total: -1, booked: 4, stockRevision: 0, epoch: 1 })
    expect(await remaining()).toBe(-1)
  })
})

describe('reservations in Redis', () => {
  it('are found by their shopper, alone and in a list (I2)', async () => {
    const sale = aSale({ limitPerShopper: 4 })
    await redisStock(redis.redis).warm(sale)
    const [first, second] = [aPurchase(sale, 1, 1, { quantity: 2 }), aPurchase(sale, 1, 2)]
    for (const purchase of [first, second, aPurchase(sale, 2)]) await reserve(redis.redis, purchase)
    const holds = redisHolds(redis.redis)
    const { orderId, shopperId } = first
    expect(await holds.find(orderId)).toEqual({ shopperId, quantity: 2, reservedAt: 5_000 })
    expect(await holds.ofShopper(sale.saleId, shopperId)).toEqual([orderId, second.orderId])
    expect(await holds.find(aPurchase(sale, 3).orderId)).toBeUndefined()
    expect(await holds.ofShopper(sale.saleId, shopperIdOf(3))).toEqual([])
  })

  it('that were cancelled hold nothing and can still be read by their shopper (O9)', async () => {
    const sale = aSale()
    await redisStock(redis.redis).warm(sale)
    const { orderId, shopperId, ...rest } = aPurchase(sale, 1)
    await reserve(redis.redis, { orderId, shopperId, ...rest })
    await release(redis.redis, sale.saleId, [{ orderId, shopperId }])
    const holds = redisHolds(redis.redis)
    expect(await holds.find(orderId)).toBeUndefined()
    expect(await holds.ofShopper(sale.saleId, shopperId)).toEqual([orderId])
  })
})
