import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { type VariantUnits, variantsSoldOut } from '../../../core/sale/variants.ts'
import { redisSoldOutPublisher } from '../../../functions/entries/adapters/gate.redis.ts'
import { isMiscounted, recountHolds } from '../../../functions/recovery/stock/recount-holds.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { gateFactsOf, publishRestocked, publishSoldOutVariants, readGate, setGate } from '../../../redis/gate/gate.ts'
import { orderSuffix, shopperField, stockKeys } from '../../../redis/keys.ts'
import { freeze, unfreeze } from '../../../redis/stock/freeze.ts'
import { readHold, readStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
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
