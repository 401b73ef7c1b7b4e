import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { addStock } from '../../../redis/stock/add-stock.ts'
import { freeze, unfreeze } from '../../../redis/stock/freeze.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { updateDefinition, warmStock } from '../../../redis/stock/warm.ts'
import { aPurchase, aSale, aWarmSale, everythingOf, nothingHeldBack, tokenOf, useRedisRig } from '../support.ts'

const rig = useRedisRig()

const warmed = (changes?: Partial<Sale>) => aWarmSale(rig.redis, changes)

const everything = (sale: Sale) => everythingOf(rig.redis, sale.saleId)
const buy = (sale: Sale, shopper: number, order = 1) => reserve(rig.redis, aPurchase(sale, shopper, order))

describe('a freeze', () => {
  it('rejects every request and changes nothing (I6)', async () => {
    const sale = await warmed({ limitPerShopper: 3 })
    await buy(sale, 1)
    await freeze(rig.redis, sale.saleId)
    const before = await everything(sale)
    const attempts = [
      aPurchase(sale, 2),
      aPurchase(sale, 1, 2),
      aPurchase(sale, 2, 1, { quantity: 2 }),
      aPurchase(sale, 2, 1, { startToken: tokenOf(9) }),
      aPurchase(sale, 2, 1, { startToken: '' }),
      aPurchase(sale, 2, 1, { startToken: '!frozen' }),
      aPurchase(sale, 2, 1, { startToken: 'frozen' }),
      aPurchase(sale, 2, 1, { now: 0 }),
      aPurchase(sale, 2, 1, { now: 10_000 }),
    ]
    for (const purchase of attempts) {
      expect(await reserve(rig.redis, purchase)).toEqual({ kind: 'unavailable' })
    }
    expect(await everything(sale)).toEqual(before)
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({ frozen: true, flag: 'on', booked: 1 })
  })

  it('twice is one freeze', async () => {
    const sale = await warmed()
    await freeze(rig.redis, sale.saleId)
    const before = await everything(sale)
    await freeze(rig.redis, sale.saleId)
    expect(await everything(sale)).toEqual(before)
  })

  it('marks a lost stock as unavailable, not unknown, and not for sale (S18, P10)', async () => {
    const sale = aSale()
    await freeze(rig.redis, sale.saleId)
    expect(await buy(sale, 1)).toEqual({ kind: 'unavailable' })
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({
      total: 0,
      booked: 0,
      stockRevision: 0,
      available: 0,
      version: 0,
      frozen: true,
    })
  })

  it('is not lifted by a flip, early, late or repeated, which is still remembered (I6)', async () => {
    const sale = await warmed({ flag: 'paused' })
    await freeze(rig.redis, sale.saleId)
    const started = { ...sale, flag: 'on', version: 2, endsAt: 8_000 } as const
    expect(await updateDefinition(rig.redis, started)).toEqual({ kind: 'applied', version: 2 })
    expect(await updateDefinition(rig.redis, started)).toEqual({ kind: 'applied', version: 2 })
    expect(await updateDefinition(rig.redis, sale)).toMatchObject({ kind: 'superseded' })
    expect(await buy(started, 1)).toEqual({ kind: 'unavailable' })
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({
      version: 2,
      flag: 'on',
      endsAt: 8_000,
      frozen: true,
    })
  })

  it('is not lifted by warming, even when the stock was lost (I1, I6)', async () => {
    const [sale, lost] = [await warmed(), aSale()]
    for (const { saleId } of [sale, lost]) await freeze(rig.redis, saleId)
    expect(await warmStock(rig.redis, { ...sale, version: 5 })).toEqual({ total: 10, booked: 0 })
    expect(await warmStock(rig.redis, lost)).toEqual({ total: 0, booked: 0 })
    for (const frozen of [sale, lost]) {
      expect(await buy(frozen, 1)).toEqual({ kind: 'unavailable' })
      expect(await readStock(rig.redis, frozen.saleId)).toMatchObject({ frozen: true })
    }
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({ version: 5 })
  })

  it('delays every stock change, even one that was applied or rejected before it (I5)', async () => {
    const sale = await warmed()
    await addStock(rig.redis, sale.saleId, { number: 3, delta: 5 })
    await addStock(rig.redis, sale.saleId, { number: 4, delta: -99 })
    await freeze(rig.redis, sale.saleId)
    const before = await everything(sale)
    const add = (number: number, delta: number) => addStock(rig.redis, sale.saleId, { number, delta })
    expect(await add(3, 5)).toEqual({ kind: 'unknown-sale' })
    expect(await add(4, -99)).toEqual({ kind: 'unknown-sale' })
    expect(await add(7, 5)).toEqual({ kind: 'unknown-sale' })
    expect(await everything(sale)).toEqual(before)
  })
})

describe('the generation of a recovery', () => {
  it('lets only the latest open a shard, and no late call of an earlier one freeze it again (I5)', async () => {
    const sale = await warmed()
    await freeze(rig.redis, sale.saleId, 7)
    await freeze(rig.redis, sale.saleId, 9)
    const frozen = await everything(sale)
    expect(await unfreeze(rig.redis, { ...sale, generation: 7 }, 0, nothingHeldBack)).toMatchObject({ kind: 'open' })
    await freeze(rig.redis, sale.saleId, 8)
    expect(await everything(sale)).toEqual(frozen)
    expect(await unfreeze(rig.redis, { ...sale, generation: 9 }, 0, nothingHeldBack)).toMatchObject({
      kind: 'unfrozen',
    })
    await freeze(rig.redis, sale.saleId, 8)
    expect((await readStock(rig.redis, sale.saleId))?.frozen).toBe(false)
  })
})

describe('unfreezing', () => {
  it('is a later revision than any that was published as sold out, here or at the gate (G4, G7)', async () => {
    const [ours, theirs] = [await warmed({ stock: 1 }), await warmed({ stock: 1 })]
    for (const sale of [ours, theirs]) {
      await addStock(rig.redis, sale.saleId, { number: 1, delta: 1 })
      await freeze(rig.redis, sale.saleId)
    }
    expect(await unfreeze(rig.redis, ours, 0, nothingHeldBack)).toMatchObject({ stockRevision: 2 })
    expect(await unfreeze(rig.redis, theirs, 8, nothingHeldBack)).toMatchObject({ stockRevision: 9 })
  })

  it('with an older version than Redis has keeps the freeze, and the next run lifts it (I6)', async () => {
    const sale = await warmed()
    await freeze(rig.redis, sale.saleId)
    const paused = { ...sale, version: 2, flag: 'paused' } as const
    await updateDefinition(rig.redis, paused)
    const before = await everything(sale)
    expect(await unfreeze(rig.redis, sale, 0, nothingHeldBack)).toMatchObject({
      kind: 'superseded',
      total: 10,
      booked: 0,
    })
    expect(await everything(sale)).toEqual(before)
    expect(await buy(sale, 1)).toEqual({ kind: 'unavailable' })

    expect(await unfreeze(rig.redis, paused, 0, nothingHeldBack)).toMatchObject({ kind: 'unfrozen' })
    expect(await buy(sale, 1)).toEqual({ kind: 'paused' })
    await updateDefinition(rig.redis, { ...sale, version: 3, flag: 'on' })
    expect(await buy(sale, 1)).toMatchObject({ kind: 'reserved' })
  })

  it('keeps the answer of a change that was rejected before (I5)', async () => {
    const sale = await warmed({ stock: 10 })
    await addStock(rig.redis, sale.saleId, { number: 4, delta: -99 })
    await freeze(rig.redis, sale.saleId)
    await unfreeze(rig.redis, { ...sale, lastChange: 2 }, 0, nothingHeldBack)
    const late = await addStock(rig.redis, sale.saleId, { number: 4, delta: -99 })
    expect(late).toMatchObject({ kind: 'below-booked', total: 10 })
  })

  it('leaves a stock change that the table does not count yet to be applied afterwards (I5)', async () => {
    const sale = await warmed({ stock: 10 })
    await addStock(rig.redis, sale.saleId, { number: 6, delta: 5 })
    await freeze(rig.redis, sale.saleId)
    await unfreeze(rig.redis, { ...sale, stock: 10, lastChange: 4 }, 0, nothingHeldBack)
    const again = await addStock(rig.redis, sale.saleId, { number: 6, delta: 5 })
    expect(again).toMatchObject({ kind: 'changed', total: 15 })
  })

  it('of a sale that was never frozen and has no stock creates nothing (S18)', async () => {
    const sale = aSale()
    expect(await unfreeze(rig.redis, sale, 0, nothingHeldBack)).toEqual({ kind: 'unknown-sale' })
    expect(await readStock(rig.redis, sale.saleId)).toBeUndefined()
  })
})
