import { describe, expect, it } from 'vitest'
import type { SaleId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { readCounts } from '../../../proof/all-holds.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { release } from '../../../redis/orders/release.ts'
import { restore } from '../../../redis/orders/restore.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { type Count, recount } from '../../../redis/stock/recount.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { aPurchase, aSale, aWarmSale, everythingOf, raw, useRedisRig } from '../support.ts'

const rig = useRedisRig()

/** Three orders of two units each out of ten, and `booked` units booked for them. */
async function soldWith(booked: number): Promise<Sale> {
  const sale = await aWarmSale(rig.redis)
  for (const shopper of [1, 2, 3]) await reserve(rig.redis, aPurchase(sale, shopper, 1, { quantity: 2 }))
  await raw(rig.redis, 'HSET', stockKeys(sale.saleId).stock, 'booked', String(booked))
  return sale
}

/** The six units of the three orders, counted now. */
async function counted(saleId: SaleId): Promise<Count> {
  const { id: frozen, moves } = (await readStock(rig.redis, saleId))?.freeze ?? { id: '', moves: 0 }
  return { units: 6, variants: {}, frozen, moves }
}

describe('counting the held units', () => {
  it.each([0, 4, 6, 12])('books it where %d units were booked, and again (I4, I5)', async (booked) => {
    const { saleId } = await soldWith(booked)
    await freeze(rig.redis, saleId)
    const count = await counted(saleId)
    expect(await recount(rig.redis, saleId, count)).toEqual({ kind: 'recounted' })
    expect(await recount(rig.redis, saleId, count)).toEqual({ kind: 'recounted' })
    expect(await readCounts(rig.redis, saleId)).toMatchObject({ booked: 6, buyers: 3, outbox: 3 })
    expect(await readStock(rig.redis, saleId)).toMatchObject({ available: 4, frozen: true })
  })

  it.each(['released', 'restored'])('must be repeated when units were %s meanwhile (I4)', async (what) => {
    const sale = await soldWith(12)
    const { saleId } = sale
    await freeze(rig.redis, saleId)
    const count = await counted(saleId)
    const order = aPurchase(sale, what === 'released' ? 1 : 4)
    if (what === 'released') await release(rig.redis, saleId, [order])
    else await restore(rig.redis, saleId, [{ ...order, reservedAt: order.now }])
    const before = await everythingOf(rig.redis, saleId)
    expect(await recount(rig.redis, saleId, count)).toEqual({ kind: 'moved' })
    expect(await everythingOf(rig.redis, saleId)).toEqual(before)
  })

  it('does not change a stock that sells, and creates none (S18, I1)', async () => {
    const { saleId } = await soldWith(5)
    const count = await counted(saleId)
    expect(await recount(rig.redis, saleId, count)).toEqual({ kind: 'open' })
    expect(await readStock(rig.redis, saleId)).toMatchObject({ booked: 5 })
    const lost = aSale().saleId
    expect(await recount(rig.redis, lost, count)).toEqual({ kind: 'unknown-sale' })
    expect(await readStock(rig.redis, lost)).toBeUndefined()
  })
})
