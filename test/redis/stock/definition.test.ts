import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { pairs } from '../../../redis/reply.ts'
import { addStock } from '../../../redis/stock/add-stock.ts'
import { readStock, removeStock } from '../../../redis/stock/stock.ts'
import { stockDefinition } from '../../../redis/stock/stock-definition.ts'
import { updateDefinition, warmStock } from '../../../redis/stock/warm.ts'
import { aPurchase, aSale, raw, tokenOf, useRedisRig } from '../support.ts'

const rig = useRedisRig()

/** Returns a map, because Redis may list the fields of one hash in another order each time. */
const hashOf = async (sale: Sale) =>
  new Map(pairs(await raw(rig.redis, 'HGETALL', stockKeys(sale.saleId).stock), 'stock'))

describe('warming', () => {
  it('warms the stock with the sale’s definition (G1)', async () => {
    const sale = aSale({ stock: 100, flag: 'off', epoch: 0, startToken: null })
    expect(await readStock(rig.redis, sale.saleId)).toBeUndefined()
    expect(await warmStock(rig.redis, sale)).toEqual({ total: 100, booked: 0 })
    expect(await readStock(rig.redis, sale.saleId)).toEqual({
      total: 100,
      booked: 0,
      stockRevision: 0,
      available: 100,
      flag: 'off',
      epoch: 0,
      startToken: null,
      startsAt: 1_000,
      endsAt: 9_000,
      version: 1,
      frozen: false,
      freeze: { id: '', moves: 0 },
      definition: stockDefinition(sale),
      heldBack: 0,
      heldSince: 0,
      quietSince: undefined,
      isHeldBackFinal: false,
      resentAt: 0,
      change: 0,
      shardDemand: undefined,
      isSplit: false,
    })
  })

  it('again changes the definition with a newer version, and nothing with an older one', async () => {
    const sale = aSale({ version: 5 })
    await warmStock(rig.redis, sale)
    const before = await hashOf(sale)
    await warmStock(rig.redis, { ...sale, version: 4, endsAt: 3_000, flag: 'closed' })
    expect(await hashOf(sale)).toEqual(before)
    await warmStock(rig.redis, { ...sale, version: 6, endsAt: 4_000 })
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({ version: 6, endsAt: 4_000 })
    expect(await reserve(rig.redis, aPurchase(sale, 1, 1, { now: 4_000 }))).toEqual({ kind: 'ended' })
  })

  it('again with the same version repairs a definition', async () => {
    const sale = aSale()
    await warmStock(rig.redis, sale)
    await raw(rig.redis, 'HSET', stockKeys(sale.saleId).stock, 'flag', 'closed', 'opensAt', '8000')
    await warmStock(rig.redis, sale)
    expect(await reserve(rig.redis, aPurchase(sale, 1))).toMatchObject({ kind: 'reserved' })
  })
})

it('warming after a loss knows the changes that the units already include (I1, I5)', async () => {
  const sale = aSale({ stock: 15 })
  await warmStock(rig.redis, { ...sale, lastChange: 4 })
  const add = (number: number) => addStock(rig.redis, sale.saleId, { number, delta: 5 })
  expect(await add(4)).toMatchObject({ kind: 'repeat', total: 15 })
  expect(await add(6)).toMatchObject({ kind: 'changed', total: 20 })
})

describe('a flip', () => {
  it('applied twice has one effect, and a late one changes nothing (I5)', async () => {
    const sale = aSale()
    await warmStock(rig.redis, sale)
    const paused = { ...sale, flag: 'paused', version: 3 } as const
    expect(await updateDefinition(rig.redis, paused)).toEqual({ kind: 'applied', version: 3 })
    const before = await hashOf(sale)
    expect(await updateDefinition(rig.redis, paused)).toEqual({ kind: 'applied', version: 3 })
    const late = { ...sale, flag: 'on', version: 2 } as const
    expect(await updateDefinition(rig.redis, late)).toEqual({ kind: 'superseded', version: 3 })
    expect(await hashOf(sale)).toEqual(before)
  })

  it('that overtakes an edit is not undone by a late warm of that edit', async () => {
    const sale = aSale({ flag: 'off', epoch: 0, startToken: null, limitPerShopper: 5, maxPerOrder: 5 })
    const edited = { ...sale, limitPerShopper: 1, maxPerOrder: 1, version: 2 }
    const started = { ...edited, flag: 'on', epoch: 1, startToken: tokenOf(1), version: 3 } as const
    await warmStock(rig.redis, sale)
    await updateDefinition(rig.redis, started)
    await warmStock(rig.redis, edited)
    expect(await reserve(rig.redis, aPurchase(started, 1, 1, { quantity: 5 }))).toEqual({ kind: 'invalid-request' })
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({
      definition: stockDefinition(started),
    })
  })

  it('of a sale that is not warmed creates nothing (S18)', async () => {
    const sale = aSale()
    expect(await updateDefinition(rig.redis, sale)).toEqual({ kind: 'unknown-sale' })
    expect(await hashOf(sale)).toEqual(new Map())
  })

  it('does not change counters, and writes every field as warming does', async () => {
    const sale = aSale({ limitPerShopper: 7, maxPerOrder: 3 })
    await warmStock(rig.redis, sale)
    await reserve(rig.redis, aPurchase(sale, 1, 1, { quantity: 3 }))
    const changes = [
      { flag: 'paused', version: 2 },
      { flag: 'on', version: 3, epoch: 2, startToken: tokenOf(2) },
      { flag: 'closed', version: 4, startsAt: 2_000, endsAt: 3_000 },
      { flag: 'off', version: 5, startToken: null },
      { flag: 'on', version: 6, limitPerShopper: 1, maxPerOrder: 1 },
    ] as const
    for (const change of changes) {
      const flipped = { ...sale, ...change }
      await updateDefinition(rig.redis, flipped)
      const twin = { ...flipped, saleId: aSale().saleId }
      await warmStock(rig.redis, twin)
      const [flippedTo, warmedTo] = [await readStock(rig.redis, sale.saleId), await readStock(rig.redis, twin.saleId)]
      expect(flippedTo?.definition).toEqual(warmedTo?.definition)
      expect(flippedTo?.definition).toEqual(stockDefinition(flipped))
    }
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({ total: 10, booked: 3, flag: 'on' })
  })
})

it('removing a stock leaves nothing of the sale behind, so that its id can be used again', async () => {
  const sale = aSale()
  await warmStock(rig.redis, sale)
  await removeStock(rig.redis, sale.saleId)
  await removeStock(rig.redis, sale.saleId)
  expect(await reserve(rig.redis, aPurchase(sale, 1))).toEqual({ kind: 'unknown-sale' })
  expect(await warmStock(rig.redis, { ...sale, stock: 3 })).toEqual({ total: 3, booked: 0 })
})
