/** The balancer of a split stock, with a real Redis. */

import { describe, expect, it } from 'vitest'
import { allUnits, type VariantUnits } from '../../../core/sale/variants.ts'
import { changeSplitStock, createBalancer } from '../../../functions/sales/balancer.ts'
import { lostShards, partsIn, readSplitStock, unitsIn } from '../../../functions/sales/split-stock.ts'
import { placeOf } from '../../../redis/databases.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { releaseAll } from '../../../redis/orders/release.ts'
import { shardsOf } from '../../../redis/shards.ts'
import { addStock } from '../../../redis/stock/add-stock.ts'
import { raw } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { bookedIn, type SplitRig, splitRig, storedEscrow } from './split-rig.ts'

const redis = useRedis()

const oneEach = { limitPerShopper: 1, maxPerOrder: 1 }

const escrowOf = ({ ports, sale }: SplitRig) => storedEscrow(ports, sale.saleId)

describe('a split stock', () => {
  it('is not sold out while a shard holds units back that may be for sale again (S15, G7)', async () => {
    const rig = await splitRig(redis, 2, { stock: 40 })
    const lost = stockKeys(rig.sale.saleId, 1).stock
    const held = Number((await rig.left())[1])
    await raw(redis, 'HSET', lost, 'booked', String(held), 'heldBack', String(held))
    for (let nth = 0; (await bookedIn(rig)) < 40; nth += 1) {
      const answer = await rig.buyAt(nth % 2, nth)
      expect(['reserved', 'unavailable']).toContain(answer.kind)
      expect(await rig.settle()).toBe(false)
    }
    expect(await rig.buyAt(0, 90)).toEqual({ kind: 'unavailable' })
    // The units that stay held back belong to dead letters.
    await raw(redis, 'HSET', lost, 'heldFinal', '1')
    expect(await rig.settle()).toBe(true)
  })

  it('serves an order that is larger than what any shard has left (S8)', async () => {
    const rig = await splitRig(redis, 3, { stock: 60 })
    // Every shard gets down to fewer than five units, nine in all.
    let nth = 0
    for (const shard of [0, 1, 2]) {
      await rig.buyAt(shard, 99, 4)
      await rig.settle()
    }
    while (60 - (await bookedIn(rig)) > 9) {
      const [shard] = (await rig.left()).map(Number).flatMap((left, at) => (left > 3 ? [at] : []))
      nth += 1
      await rig.buyAt(shard ?? 0, nth)
      await rig.settle()
    }
    expect(await rig.buyAt(1, 98, 5)).toMatchObject({ kind: 'unavailable' })
    await rig.settle()
    expect(await rig.buyAt(1, 98, 5)).toMatchObject({ kind: 'reserved' })
  })

  it('answers a shopper who wants more than there is with what there is, and serves one who wants less', async () => {
    const rig = await splitRig(redis, 3, { stock: 3 })
    expect(await rig.buyAt(1, 0, 5)).toEqual({ kind: 'unavailable' })
    expect(await rig.settle()).toBe(false)
    expect(await rig.buyAt(1, 0, 5)).toEqual({ kind: 'sold-out', remaining: 3 })
    await rig.buyAt(1, 1, 3)
    await rig.settle()
    expect(await rig.buyAt(1, 1, 3)).toMatchObject({ kind: 'reserved', remaining: -1 })
    expect(await rig.settle()).toBe(true)
  })

  it('does not repeat a shortage for long: others may have come back', async () => {
    const rig = await splitRig(redis, 2, { stock: 1 })
    await rig.buyAt(1, 0, 5)
    await rig.settle()
    rig.pass(1_001)
    expect(await rig.buyAt(1, 0, 5)).toEqual({ kind: 'unavailable' })
  })

  it('gives the last units to one of two shards that want them, without moving them to and fro', async () => {
    const rig = await splitRig(redis, 2, { stock: 5 })
    await rig.buyAt(0, 0, 5)
    await rig.buyAt(1, 0, 5)
    await rig.settle()
    const { revision } = await escrowOf(rig)
    await rig.settle()
    expect((await escrowOf(rig)).revision).toBe(revision)
    expect((await rig.left()).toSorted()).toEqual([0, 5])
    // A shopper who left does not keep them for ever.
    const other = (await rig.left()).indexOf(0)
    rig.pass(3_000)
    await rig.buyAt(other, 1, 5)
    await rig.settle()
    expect((await rig.left())[other]).toBe(5)
  })

  it('does not fetch units again for a demand whose units were sold', async () => {
    const rig = await splitRig(redis, 2, { stock: 5 })
    await rig.buyAt(0, 0, 2)
    await rig.settle()
    expect(await rig.buyAt(0, 0, 2)).toMatchObject({ kind: 'reserved' })
    const { revision } = await escrowOf(rig)
    await rig.settle()
    expect((await escrowOf(rig)).revision).toBe(revision)
  })

  it('keeps the units where they wait, though a balancer begins after a demand that could not be met', async () => {
    const rig = await splitRig(redis, 2, { stock: 1 })
    await rig.buyAt(1, 0, 5)
    await rig.settle()
    await rig.buyAt(0, 0)
    await rig.settle()
    expect(await rig.left()).toEqual([1, 0])
    await rig.settle(createBalancer(rig.ports))
    expect(await rig.left()).toEqual([1, 0])
  })

  it('keeps the units where they are, though a balancer begins after a shopper who waited has left', async () => {
    const rig = await splitRig(redis, 2, { stock: 5 })
    await rig.buyAt(0, 0, 5)
    await rig.settle()
    rig.down.add(0)
    await rig.buyAt(1, 0, 5)
    await rig.settle()
    rig.pass(3_000)
    await rig.settle()
    rig.down.clear()
    await rig.settle(createBalancer(rig.ports))
    expect(await rig.left()).toEqual([5, 0])
  })
})

describe('a balancer that reads the shards one after another', () => {
  it('does not report sold out when a unit came back behind it, and the last one ahead of it was sold (S15, G4)', async () => {
    const rig = await splitRig(redis, 2, { stock: 2, ...oneEach })
    expect(await rig.buyAt(0, 0)).toMatchObject({ kind: 'reserved' })
    expect(await rig.left()).toEqual([0, 1])
    const { exec } = rig.stock
    let isFirst = true
    rig.stock.exec = async (command) => {
      if (placeOf(command)?.shard === 1 && isFirst) {
        isFirst = false
        await releaseAll(rig.stock, rig.sale.saleId, [rig.purchaseAt(0, 0)])
        expect(await rig.buyAt(1, 0)).toMatchObject({ kind: 'reserved' })
      }
      return exec(command)
    }
    expect(await rig.settle()).toBe(false)
    expect(isFirst).toBe(false)
    expect(await rig.left()).toEqual([1, 0])
  })
})

describe('a shard that does not answer', () => {
  it('keeps its units, and no shopper reads sold out while it has some (I6)', async () => {
    const rig = await splitRig(redis, 2, { stock: 20, ...oneEach })
    const [, kept = 0] = await rig.left()
    expect(kept).toBeGreaterThan(0)
    rig.down.add(1)
    let sold = 0
    for (let nth = 0; nth < 30; nth += 1) {
      if ((await rig.buyAt(0, nth)).kind === 'reserved') sold += 1
      expect(await rig.settle()).toBe(false)
    }
    expect(sold).toBe(20 - kept)
    rig.down.clear()
    expect(await rig.buyAt(0, 30)).toMatchObject({ kind: 'unavailable' })
    await rig.settle()
    expect(await rig.buyAt(0, 30)).toMatchObject({ kind: 'reserved' })
  })
})

describe('a split stock with variants', () => {
  const sizes = (stocks: VariantUnits) => {
    const variants = Object.entries(stocks).map(([id, stock]) => ({ id, name: id, stock }))
    return { variants, stock: allUnits(stocks) }
  }
  const unitsOf = async (rig: SplitRig) => {
    const look = await readSplitStock(rig.ports, rig.sale.saleId)
    if (look === undefined) throw new Error('the sale has no escrow')
    return partsIn(look)
  }

  it('sells every unit of each variant to shoppers of one shard, and says sold out of one only then (S15, N1)', async () => {
    const rig = await splitRig(redis, 3, sizes({ s: 5, m: 12 }))
    let left = { s: 5, m: 12 }
    for (let nth = 0; allUnits(left) > 0; nth += 1) {
      const id = nth % 3 === 0 && left.m > 0 ? 'm' : left.s > 0 ? 's' : 'm'
      const answer = await rig.buyAt(1, nth, { quantity: 1, variant: id })
      if (answer.kind === 'reserved') {
        // Only the shard may have nothing left of it.
        expect(answer.soldOutVariant).toBeUndefined()
        left = { ...left, [id]: left[id] - 1 }
      } else expect(answer, `with ${left[id]} left of ${id}`).toEqual({ kind: 'unavailable' })
      expect(await rig.settle()).toBe(allUnits(left) === 0)
      const { soldOut = [] } = (await rig.balancer(rig.sale)) ?? {}
      expect(soldOut).toEqual(Object.entries(left).flatMap(([one, units]) => (units === 0 ? [one] : [])))
    }
    expect(await bookedIn(rig)).toBe(17)
  })

  it('serves an order of a variant whose units are in different shards, whole (N1)', async () => {
    const rig = await splitRig(redis, 3, sizes({ s: 3, m: 3 }))
    for (const [shard, variant] of [
      [0, 's'],
      [2, 'm'],
    ] as const) {
      await rig.buyAt(shard, 9, { quantity: 2, variant })
      await rig.settle()
    }
    // Units for these came, and their shoppers have left.
    rig.pass(3_000)
    expect(await rig.buyAt(1, 0, { quantity: 3, variant: 'm' })).toEqual({ kind: 'unavailable' })
    await rig.settle()
    const served = await rig.buyAt(1, 0, { quantity: 3, variant: 'm' })
    expect(served).toMatchObject({ kind: 'reserved', remaining: -1 })
    expect(served).not.toHaveProperty('soldOutVariant', 'm')
    expect((await unitsOf(rig)).left).toMatchObject({ m: 0 })
  })

  it('answers that a variant has too few units, and how many of it are left (N1)', async () => {
    const rig = await splitRig(redis, 2, sizes({ s: 1, m: 9 }))
    expect(await rig.buyAt(0, 0, { quantity: 2, variant: 's' })).toEqual({ kind: 'unavailable' })
    await rig.settle()
    expect(await rig.buyAt(0, 0, { quantity: 2, variant: 's' })).toEqual({
      ...{ kind: 'sold-out', remaining: 10, shortVariant: { variant: 's', left: 1 } },
    })
    expect(await rig.buyAt(0, 1, { quantity: 1, variant: 'm' })).not.toMatchObject({ kind: 'sold-out' })
  })

  it('takes units of one variant away, down to those that are booked (I5)', async () => {
    const rig = await splitRig(redis, 2, sizes({ s: 20, m: 20 }))
    const { saleId } = rig.sale
    await rig.buyAt(0, 0, { quantity: 2, variant: 's' })
    const change = (number: number, delta: number) =>
      changeSplitStock(rig.ports, saleId, { number, delta, units: { s: delta } })
    expect(await change(7, -19)).toEqual({ kind: 'below-booked', total: 20, booked: 2 })
    expect(await change(7, -19)).toEqual({ kind: 'below-booked', total: 20, booked: 2 })
    expect(await change(8, -18)).toMatchObject({ kind: 'changed', total: 22 })
    expect(await change(8, -18)).toMatchObject({ kind: 'repeat', total: 22 })
    expect(await unitsOf(rig)).toEqual({ total: { s: 2, m: 20 }, left: { s: 0, m: 20 } })
  })
})

describe('a lost shard', () => {
  it('is found: its data gone, or of an older state', async () => {
    const rig = await splitRig(redis, 3, { stock: 60 })
    expect(await lostShards(rig.ports, rig.sale.saleId)).toEqual([])
    await rig.lose(1)
    expect(await lostShards(rig.ports, rig.sale.saleId)).toEqual([1])
    const [first] = await shardsOf(rig.stock, rig.sale.saleId)
    if (first === undefined) throw new Error('the stock has no shard')
    // More units than the escrow granted.
    await addStock(first, rig.sale.saleId, { number: 1_000, delta: 1 })
    expect(await lostShards(rig.ports, rig.sale.saleId)).toEqual([0, 1])
  })

  it('is not one that does not answer: nothing is known of it', async () => {
    const rig = await splitRig(redis, 2, { stock: 60 })
    rig.down.add(1)
    expect(await lostShards(rig.ports, rig.sale.saleId)).toEqual([])
  })
})

describe('a change of a split stock', () => {
  it('is refused for good when more are booked (I5)', async () => {
    const rig = await splitRig(redis, 2, { stock: 40 })
    const { saleId } = rig.sale
    await rig.buyAt(0, 0, 2)
    const change = { number: 7, delta: -39 }
    expect(await changeSplitStock(rig.ports, saleId, change)).toEqual({ kind: 'below-booked', total: 40, booked: 2 })
    await releaseAll(rig.stock, saleId, [rig.purchaseAt(0, 0)])
    expect(await changeSplitStock(rig.ports, saleId, change)).toMatchObject({ kind: 'below-booked' })
    const look = await readSplitStock(rig.ports, saleId)
    expect(look && unitsIn(look)).toEqual({ total: 40, available: 40 })
  })

  it('waits while a shard does not answer: its units may be needed', async () => {
    const rig = await splitRig(redis, 2, { stock: 40 })
    rig.down.add(1)
    const change = { number: 7, delta: -40 }
    expect(await changeSplitStock(rig.ports, rig.sale.saleId, change)).toEqual({ kind: 'unknown-sale' })
    rig.down.clear()
    expect(await changeSplitStock(rig.ports, rig.sale.saleId, change)).toMatchObject({ kind: 'changed' })
  })
})
