import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { type VariantUnits, variantsSoldOut } from '../../../core/sale/variants.ts'
import { redisSoldOutPublisher } from '../../../functions/entries/adapters/gate.redis.ts'
import { isMiscounted, recountHolds } from '../../../functions/recovery/stock/recount-holds.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { gateFactsOf, publishRestocked, publishSoldOutVariants, readGate, setGate } from '../../../redis/gate/gate.ts'
import { orderSuffix, shopperField, stockKeys } from '../../../redis/keys.ts'
import { freeze, unfreeze } from '../../../redis/stock/freeze.ts'
import { releaseHeldBack } from '../../../redis/stock/release-held-back.ts'
import { readHold, readStock, removeStock } from '../../../redis/stock/stock.ts'
import { updateDefinition, warmStock } from '../../../redis/stock/warm.ts'
import {
  aPurchase,
  aSale,
  aSaleOfVariants,
  aWarmSale,
  commandCounts,
  everythingOf,
  nothingHeldBack,
  raw,
  useRestRig,
  waitingIn,
} from '../support.ts'

const rig = useRestRig()

/** Four of S and six of M, two for each shopper. */
async function warmed(changes: Partial<Sale> = {}, stocks: VariantUnits = { s: 4, m: 6 }): Promise<Sale> {
  const sale = aSaleOfVariants(stocks, changes)
  await warmStock(rig.redis, sale)
  return sale
}

const everything = (sale: Sale) => everythingOf(rig.redis, sale.saleId)

/** Returns the units left of each variant. */
async function leftOf({ saleId }: Sale): Promise<Record<string, number>> {
  const { variants = {} } = (await readStock(rig.redis, saleId)) ?? {}
  return Object.fromEntries(Object.entries(variants).map(([id, { left }]) => [id, left]))
}

const unitsOf = (sale: Sale, shopper: number, variant: string, quantity = 1, order = 1) =>
  aPurchase(sale, shopper, order, { quantity, variant })

const buy = (...asked: Parameters<typeof unitsOf>) => reserve(rig.redis, unitsOf(...asked))

describe('the stock of a sale with variants', () => {
  it('has counters of each variant beside those of the whole (N1)', async () => {
    const sale = await warmed()
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({
      total: 10,
      booked: 0,
      available: 10,
      variants: { s: { total: 4, left: 4, heldBack: 0 }, m: { total: 6, left: 6, heldBack: 0 } },
    })
    const [stock] = await everything(sale)
    expect(stock?.get('variants')).toBe('["s","m"]')
  })

  it('keeps its counters when it is warmed again, or its definition changes (N1, I5)', async () => {
    const sale = await warmed()
    await buy(sale, 1, 's')
    await warmStock(rig.redis, sale)
    await updateDefinition(rig.redis, { ...sale, flag: 'paused', version: 2 })
    expect(await leftOf(sale)).toEqual({ s: 3, m: 6 })
  })

  it('adds nothing to the stock of a sale without variants, and costs its reader no command (N1)', async () => {
    const sale = await aWarmSale(rig.redis)
    const [stock] = await everything(sale)
    expect([...(stock?.keys() ?? [])].filter((field) => /variants|:/.test(field))).toEqual([])
    await raw(rig.redis, 'CONFIG', 'RESETSTAT')
    expect(await readStock(rig.redis, sale.saleId)).not.toHaveProperty('variants')
    expect((await commandCounts(rig.redis)).get('hmget')).toBe(1)
  })
})

describe('an order of a variant', () => {
  it('takes the units of the variant and those of the sale, in one step (N1, S9)', async () => {
    const sale = await warmed()
    const purchase = unitsOf(sale, 1, 'm', 2)
    const made = await reserve(rig.redis, purchase)
    expect(made).toMatchObject({ kind: 'reserved', quantity: 2, remaining: 8, booked: 2 })
    expect(made).toMatchObject({ message: { quantity: 2, variant: 'm' } })
    expect(await leftOf(sale)).toEqual({ s: 4, m: 4 })
    expect(await readHold(rig.redis, purchase.orderId, purchase.shopperId)).toMatchObject({
      ...{ quantity: 2, variant: 'm' },
      reservedAt: 5_000,
    })
    const [stock] = await everything(sale)
    const record: unknown = JSON.parse(stock?.get(shopperField(purchase.shopperId)) ?? '')
    expect(record).toEqual({ orders: { [orderSuffix(purchase.orderId)]: { units: 2, at: 5000, variant: 'm' } } })
    const [waiting] = await waitingIn(rig.redis, sale.saleId)
    expect(JSON.parse(waiting?.body ?? '')).toMatchObject({ quantity: 2, variant: 'm' })
  })

  it('takes nothing where the variant has too few units, and says how many it has (N1)', async () => {
    const sale = await warmed({}, { s: 1, m: 6 })
    const before = await everything(sale)
    expect(await buy(sale, 2, 's', 2)).toMatchObject({
      ...{ kind: 'sold-out', remaining: 7, shortVariant: { variant: 's', left: 1 } },
    })
    expect(await everything(sale)).toEqual(before)
    expect(await buy(sale, 1, 's')).toMatchObject({ kind: 'reserved', soldOutVariant: 's' })
    expect(await buy(sale, 2, 's')).toMatchObject({
      ...{ kind: 'sold-out', remaining: 6, shortVariant: { variant: 's', left: 0 } },
    })
    expect(await leftOf(sale)).toEqual({ s: 0, m: 6 })
  })

  it('with an unknown variant is refused and counts as a try (N1, R2)', async () => {
    const sale = await warmed()
    for (let turn = 0; turn < sale.throttle.perShopper.limit; turn += 1) {
      expect(await buy(sale, 1, 'xl')).toEqual({ kind: 'invalid-request', field: 'variant' })
    }
    expect(await buy(sale, 1, 's')).toMatchObject({ kind: 'too-many-requests' })
    expect(await leftOf(sale)).toEqual({ s: 4, m: 6 })
  })

  it('names one in a sale with variants, and none in others: refused before the stock is asked (N1)', async () => {
    const sale = await warmed()
    const plain = await aWarmSale(rig.redis)
    const refused = { kind: 'invalid-request', field: 'variant' }
    expect(await reserve(rig.redis, aPurchase(sale, 1))).toEqual(refused)
    expect(await buy(plain, 1, 's')).toEqual(refused)
    expect(await leftOf(sale)).toEqual({ s: 4, m: 6 })
    expect(await readStock(rig.redis, plain.saleId)).toMatchObject({ booked: 0 })
  })
})

describe('a stock that was lost', () => {
  it('is counted anew by variant where a counter was wrong (N1, I4)', async () => {
    const sale = await warmed()
    const { saleId } = sale
    await buy(sale, 1, 'm', 2)
    expect(await isMiscounted({ stock: rig.redis }, saleId)).toBe(false)
    await raw(rig.redis, 'HSET', stockKeys(saleId).stock, 'booked:m', '0', 'booked:s', '2')
    expect(await isMiscounted({ stock: rig.redis }, saleId)).toBe(true)
    await freeze(rig.redis, saleId)
    expect(await recountHolds(rig.redis, saleId)).toEqual({ kind: 'recounted' })
    await unfreeze(rig.redis, sale, 0, nothingHeldBack)
    expect(await leftOf(sale)).toEqual({ s: 4, m: 4 })
    expect(await isMiscounted({ stock: rig.redis }, saleId)).toBe(false)
  })

  it('is counted right where a variant is called like a member of every object (N1, I4)', async () => {
    const sale = await warmed({}, { constructor: 4, m: 6 })
    await buy(sale, 1, 'm', 2)
    expect(await isMiscounted({ stock: rig.redis }, sale.saleId)).toBe(false)
  })

  /** A lost stock of four S and six M, of which up to `units` may be sold to orders that are on their way. */
  async function reopened(units: number): Promise<Sale> {
    const sale = await warmed({ limitPerShopper: 4, maxPerOrder: 4 })
    await removeStock(rig.redis, sale.saleId)
    await freeze(rig.redis, sale.saleId)
    await recountHolds(rig.redis, sale.saleId)
    await unfreeze(rig.redis, sale, 0, { units, since: 6_000 })
    return sale
  }

  it('holds the missing units back of every variant, because they may be of any (N1, I1)', async () => {
    const sale = await reopened(5)
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({
      booked: 5,
      heldBack: 5,
      available: 1,
      variants: { s: { left: 0, heldBack: 4 }, m: { left: 1, heldBack: 5 } },
    })
    expect(await isMiscounted({ stock: rig.redis }, sale.saleId)).toBe(false)
    expect(await buy(sale, 1, 's')).toEqual({ kind: 'unavailable', isHeldBack: true })
    // The last of M that is not held back: it is not sold out.
    const last = await buy(sale, 1, 'm', 1, 2)
    expect(last).toMatchObject({ kind: 'reserved', remaining: 4 })
    expect(last).not.toHaveProperty('soldOutVariant')
    await releaseHeldBack(rig.redis, sale.saleId, { since: 6_000, keep: 5, quietSince: undefined, isFinal: true })
    expect(await buy(sale, 2, 's')).toMatchObject({ kind: 'sold-out', shortVariant: { variant: 's', left: 0 } })
  })

  it('sells what each variant held back, but for the dead letters of that variant (N1, G7)', async () => {
    const sale = await reopened(4)
    const { saleId } = sale
    const since = { since: 6_000, quietSince: 6_000, isFinal: true }
    expect(await releaseHeldBack(rig.redis, saleId, { ...since, keep: 4 })).toMatchObject({ units: 0 })
    const kept = await releaseHeldBack(rig.redis, saleId, { ...since, keep: 1, keepOf: { m: 1 } })
    expect(kept).toEqual({ kind: 'released', units: 7, stockRevision: 2 })
    expect(await readStock(rig.redis, saleId)).toMatchObject({
      heldBack: 1,
      variants: { s: { left: 4, heldBack: 0 }, m: { left: 5, heldBack: 1 } },
    })
    const again = await releaseHeldBack(rig.redis, saleId, { ...since, keep: 1, keepOf: { m: 1 } })
    expect(again).toMatchObject({ units: 0, stockRevision: 2 })
  })
})

describe('the variants that the gate takes for sold out', () => {
  async function published(): Promise<Sale> {
    const sale = aSale()
    await setGate(rig.redis, gateFactsOf(sale, { frozen: false }))
    return sale
  }

  const toldOf = async ({ saleId }: Sale) => {
    const facts = await readGate(rig.redis, saleId)
    return facts === undefined ? undefined : variantsSoldOut(facts)
  }

  it('add up within one revision of the stock, and a later one begins anew (N1, G4)', async () => {
    const sale = await published()
    const { saleId } = sale
    expect(await toldOf(sale)).toEqual([])
    await publishSoldOutVariants(rig.redis, saleId, 0, ['s'])
    await publishSoldOutVariants(rig.redis, saleId, 0, ['s', 'xs'])
    await publishSoldOutVariants(rig.redis, saleId, 0, ['xs'])
    expect(await toldOf(sale)).toEqual(['s', 'xs'])
    await publishSoldOutVariants(rig.redis, saleId, 2, ['m'])
    expect(await toldOf(sale)).toEqual(['m'])
    await publishSoldOutVariants(rig.redis, saleId, 1, ['s'])
    expect(await toldOf(sale)).toEqual(['m'])
  })

  it('count no more once units were added in a later revision (N1, G7)', async () => {
    const sale = await published()
    await publishSoldOutVariants(rig.redis, sale.saleId, 1, ['s'])
    await publishRestocked(rig.redis, sale.saleId, 1)
    expect(await toldOf(sale)).toEqual(['s'])
    await publishRestocked(rig.redis, sale.saleId, 2)
    expect(await toldOf(sale)).toEqual([])
    await publishSoldOutVariants(rig.redis, sale.saleId, 1, ['m'])
    expect(await toldOf(sale)).toEqual([])
  })

  it('are published once by an environment, apart from the sale as a whole (N1, G4)', async () => {
    const sale = await published()
    const publisher = redisSoldOutPublisher(rig.redis)
    await publisher.publish(sale.saleId, 0, ['s'])
    await raw(rig.redis, 'CONFIG', 'RESETSTAT')
    await Promise.all(Array.from({ length: 20 }, () => publisher.publish(sale.saleId, 0, ['s'])))
    expect((await commandCounts(rig.redis)).get('evalsha')).toBeUndefined()
    await publisher.publish(sale.saleId, 0, ['m'])
    await publisher.publish(sale.saleId, 0)
    expect(await readGate(rig.redis, sale.saleId)).toMatchObject({
      soldOut: true,
      soldOutVariants: { revision: 0, ids: ['s', 'm'] },
    })
  })
})
