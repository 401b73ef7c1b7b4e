/** The numbers of a stock: counted again, changed by a marketer, and summed over shards. */
import { describe, expect, it } from 'vitest'
import type { SaleId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { readCounts } from '../../../proof/stock-counts.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { release } from '../../../redis/orders/release.ts'
import { restore } from '../../../redis/orders/restore.ts'
import { addStock } from '../../../redis/stock/add-stock.ts'
import { freeze, unfreeze } from '../../../redis/stock/freeze.ts'
import { type Count, recount } from '../../../redis/stock/recount.ts'
import { readShard, readStock, type StockFacts, sumOfShards } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { aPurchase, aSale, aWarmSale, everythingOf, nothingHeldBack, raw, useRedisRig } from '../support.ts'

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

  it('must be repeated when the sale sold meanwhile, between two freezes (I1, I4)', async () => {
    const sale = await soldWith(6)
    const { saleId } = sale
    await freeze(rig.redis, saleId)
    const count = await counted(saleId)
    await unfreeze(rig.redis, sale, 0, nothingHeldBack)
    await reserve(rig.redis, aPurchase(sale, 4, 1, { quantity: 2 }))
    await freeze(rig.redis, saleId)
    expect(await recount(rig.redis, saleId, count)).toEqual({ kind: 'moved' })
    expect(await readStock(rig.redis, saleId)).toMatchObject({ booked: 8, available: 2 })
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

async function saleWith(stock: number, booked: number) {
  const sale = aSale({ stock, limitPerShopper: 100, maxPerOrder: 100 })
  await warmStock(rig.redis, sale)
  if (booked > 0) await reserve(rig.redis, aPurchase(sale, 1, 1, { quantity: booked }))
  return sale
}

describe('a change of stock', () => {
  it('keeps large numbers exact', async () => {
    const { saleId } = await saleWith(10_000_000, 0)
    const changed = { kind: 'changed', total: 999_999_999_999_999 }
    expect(await addStock(rig.redis, saleId, { number: 1, delta: 999_999_989_999_999 })).toMatchObject(changed)
    expect(await readStock(rig.redis, saleId)).toMatchObject({ total: 999_999_999_999_999 })
  })

  it('of an unlimited or unknown stock reports that and does nothing (S18)', async () => {
    const { saleId } = await saleWith(-1, 0)
    expect(await addStock(rig.redis, saleId, { number: 1, delta: 5 })).toEqual({ kind: 'unlimited' })
    expect(await readStock(rig.redis, saleId)).toMatchObject({ total: -1, stockRevision: 0 })
    const missing = aSale().saleId
    expect(await addStock(rig.redis, missing, { number: 1, delta: 5 })).toEqual({ kind: 'unknown-sale' })
    expect(await readStock(rig.redis, missing)).toBeUndefined()
  })

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e99])('by %s is rejected before it is sent', async (delta) => {
    const { saleId } = await saleWith(10, 0)
    await expect(addStock(rig.redis, saleId, { number: 1, delta })).rejects.toThrow(RangeError)
  })
})

/** Facts of a shard of ten units, as Redis has them, apart from `changes`. */
async function shard(changes: Partial<StockFacts>): Promise<StockFacts> {
  const facts = await readShard(rig.redis, (await aWarmSale(rig.redis)).saleId)
  if (facts === undefined) throw new Error('the stock is missing')
  return { ...facts, ...changes }
}

describe('the facts of a split stock', () => {
  it('are the sums of its shards, with the definition of the one that is furthest behind (S14)', async () => {
    const behind = await shard({ version: 3, flag: 'on', booked: 4, heldSince: 7 })
    const ahead = await shard({ version: 4, flag: 'paused', booked: 1, heldSince: 9 })
    for (const shards of [
      [behind, ahead],
      [ahead, behind],
    ]) {
      expect(sumOfShards(shards)).toMatchObject({
        ...{ version: 3, flag: 'on', isSplit: true, frozen: false },
        ...{ total: 20, booked: 5, available: 15, heldSince: 9 },
      })
    }
  })

  it('are those of shards that sell, and frozen only where none does (I6)', async () => {
    const frozen = await shard({ version: 2, flag: 'on', frozen: true })
    const selling = await shard({ version: 3, flag: 'paused' })
    expect(sumOfShards([frozen, selling, undefined])).toMatchObject({ version: 3, frozen: false, total: 20 })
    expect(sumOfShards([frozen, undefined])).toMatchObject({ version: 2, frozen: true, total: 10 })
    expect(sumOfShards([undefined, undefined])).toBeUndefined()
  })
})
