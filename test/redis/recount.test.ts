import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sale } from '../../core/sale.ts'
import { readCounts } from '../../redis/all-holds.ts'
import { freeze } from '../../redis/freeze.ts'
import { stockKeys } from '../../redis/keys.ts'
import { type Count, recount } from '../../redis/recount.ts'
import { release } from '../../redis/release.ts'
import { reserve } from '../../redis/reserve.ts'
import { readStock } from '../../redis/stock.ts'
import { aPurchase, aSale, aWarmSale, everythingOf, type RedisRig, raw, startRedisRig } from './support.ts'

let rig: RedisRig
beforeAll(async () => {
  rig = await startRedisRig()
})
afterAll(() => rig.stop())

/** Three orders of two units each, and `booked` units booked for them. */
async function soldWith(booked: number): Promise<Sale> {
  const sale = await aWarmSale(rig.redis)
  for (const shopper of [1, 2, 3]) await reserve(rig.redis, aPurchase(sale, shopper, 1, { quantity: 2 }))
  await raw(rig.redis, 'HSET', stockKeys(sale.saleId).stock, 'booked', String(booked))
  return sale
}

const counted = (count: Partial<Count> = {}): Count => ({ units: 6, holds: 3, booked: 6, ...count })

describe('counting the held units', () => {
  it.each([0, 4, 6, 12])('books it where %d units were booked, and again (I4, I5)', async (booked) => {
    const { saleId } = await soldWith(booked)
    await freeze(rig.redis, saleId)
    expect(await recount(rig.redis, saleId, counted({ booked }))).toEqual({ kind: 'recounted' })
    expect(await recount(rig.redis, saleId, counted())).toEqual({ kind: 'recounted' })
    expect(await readCounts(rig.redis, saleId)).toMatchObject({ booked: 6, buyers: 3, outbox: 3 })
    expect(await readStock(rig.redis, saleId)).toMatchObject({ available: 4, frozen: true })
  })

  it('must be repeated when units were released meanwhile (I4)', async () => {
    const sale = await soldWith(12)
    await freeze(rig.redis, sale.saleId)
    await release(rig.redis, sale.saleId, [aPurchase(sale, 1)])
    const before = await everythingOf(rig.redis, sale.saleId)
    const late = [counted({ booked: 12 }), counted({ booked: 10 })]
    for (const count of late) expect(await recount(rig.redis, sale.saleId, count)).toEqual({ kind: 'moved' })
    expect(await everythingOf(rig.redis, sale.saleId)).toEqual(before)
  })

  it('does not change a stock that sells, and creates none (S18, I1)', async () => {
    const { saleId } = await soldWith(5)
    expect(await recount(rig.redis, saleId, counted({ booked: 5 }))).toEqual({ kind: 'open' })
    expect(await readStock(rig.redis, saleId)).toMatchObject({ booked: 5 })
    const lost = aSale().saleId
    expect(await recount(rig.redis, lost, counted())).toEqual({ kind: 'unknown-sale' })
    expect(await readStock(rig.redis, lost)).toBeUndefined()
  })
})
