/**
 * Random sequences of steps of a sale with variants, run against Redis and against a model that is simple enough
 * to verify by reading. The seed of a failing run is printed with the failure, and `FC_SEED` repeats it.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { type Basket, basketUnits, sumOfUnits, type VariantUnits } from '../../../core/sale/variants.ts'
import { isMiscounted, recountHolds } from '../../../functions/repair/stock/recount-holds.ts'
import { changedStock } from '../../../functions/sales/changed-sale.ts'
import { readCounts } from '../../../proof/all-holds.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { release } from '../../../redis/orders/release.ts'
import { restore } from '../../../redis/orders/restore.ts'
import { addStock } from '../../../redis/stock/add-stock.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { releaseHeldBack } from '../../../redis/stock/release-held-back.ts'
import { ordersOfShopper, readStock, removeStock } from '../../../redis/stock/stock.ts'
import { unfreeze } from '../../../redis/stock/unfreeze.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { inSample } from '../../whole-plays.ts'
import { aBasket, aSaleOfVariants, shopperIdOf, useRedisRig } from '../support.ts'

const rig = useRedisRig()

const ids = ['l', 'm', 's'] as const
const shoppers = 4

const basket: fc.Arbitrary<Basket> = fc
  .record({ l: fc.nat({ max: 2 }), m: fc.nat({ max: 2 }), s: fc.nat({ max: 3 }) })
  .map((units) => Object.fromEntries(Object.entries(units).filter(([, count]) => count > 0)))
  .filter((units) => basketUnits(units) > 0)

const someOrder = { shopper: fc.integer({ min: 1, max: shoppers }), order: fc.integer({ min: 1, max: 3 }) }

type Place = { shopper: number; order: number }
type Step =
  | ({ do: 'buy'; basket: Basket } & Place)
  /** `at`: of the order at that place among those that hold units, where there are so many. */
  | ({ do: 'release'; at: number } & Place)
  | ({ do: 'restore'; basket: Basket; isEnded: boolean } & Place)
  | { do: 'add'; id: (typeof ids)[number]; delta: number; isTwice: boolean }
  | { do: 'window'; units: VariantUnits }
  /** Redis loses everything; orders of shoppers up to `listed` are in the table, the others on their way. */
  | { do: 'lose'; listed: number; more: number }
  /** The orders that were on their way to the table arrive. */
  | { do: 'arrive' }
  | { do: 'settle' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('buy' as const), ...someOrder, basket }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('release' as const), ...someOrder, at: fc.nat({ max: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('restore' as const),
      ...someOrder,
      basket,
      isEnded: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      id: fc.constantFrom(...ids),
      delta: fc.integer({ min: -4, max: 4 }).filter((units) => units !== 0),
      isTwice: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('window' as const),
      units: fc.record({ l: fc.nat({ max: 3 }), m: fc.nat({ max: 3 }), s: fc.integer({ min: 1, max: 3 }) }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('lose' as const),
      listed: fc.nat({ max: 2 }),
      more: fc.nat({ max: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('arrive' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
)

const life = fc.record({
  stocks: fc.record({ l: fc.nat({ max: 3 }), m: fc.nat({ max: 5 }), s: fc.integer({ min: 1, max: 4 }) }),
  limitPerShopper: fc.integer({ min: 2, max: 8 }),
  steps: fc.array(step, { minLength: 1, maxLength: 30 }),
})

/** `basket` is undefined once the units were given back, for good. */
type ModelOrder = Place & { basket: Basket | undefined }

/**
 * `lost` are orders that Redis has forgotten and the table does not have yet; so many units are held back for
 * them, in all and of each variant.
 */
type Model = {
  sale: Sale
  orders: Map<string, ModelOrder>
  lost: Map<string, ModelOrder>
  heldBack: number
  heldOf: Record<string, number>
  isSettled: boolean
  since: number
  change: number
}

const keyOf = ({ shopper, order }: Place) => `${shopper}/${order}`
const basketsOf = (orders: Iterable<ModelOrder>) => sumOfUnits([...orders].map((one) => one.basket ?? {}))
const soldOf = (model: Model) => basketsOf(model.orders.values())
const boughtBy = (model: Model, shopper: number) =>
  basketUnits(basketsOf([...model.orders.values()].filter((one) => one.shopper === shopper)))

/** What is left of each variant. */
function leftOf(model: Model): Record<string, number> {
  const sold = soldOf(model)
  const left = ({ id, stock }: { id: string; stock: number }) =>
    [id, stock - (sold[id] ?? 0) - (model.heldOf[id] ?? 0)] as const
  return Object.fromEntries((model.sale.variants ?? []).map(left))
}

const leftOfAll = (model: Model) => model.sale.stock - basketUnits(soldOf(model)) - model.heldBack

/** What a purchase must be answered, and the model after it. */
function expected(model: Model, { shopper, order, basket: wanted }: Extract<Step, { do: 'buy' }>) {
  const known = model.orders.get(keyOf({ shopper, order }))
  const remaining = Math.max(0, leftOfAll(model))
  if (known !== undefined) {
    const { basket: held } = known
    return { kind: 'repeat', quantity: basketUnits(held ?? {}), remaining, ...(held && { basket: held }) }
  }
  if (boughtBy(model, shopper) + basketUnits(wanted) > model.sale.limitPerShopper) return { kind: 'limit-reached' }
  const left = leftOf(model)
  const short = Object.keys(wanted).filter((id) => (left[id] ?? 0) < (wanted[id] ?? 0))
  const gone = short.filter((id) => model.isSettled || (model.heldOf[id] ?? 0) === 0)
  const lacking = Object.fromEntries(gone.map((id) => [id, Math.max(0, left[id] ?? 0)]))
  if (gone.length > 0) return { kind: 'sold-out', remaining, lacking }
  if (short.length > 0) return { kind: 'unavailable', isHeldBack: true }
  model.orders.set(keyOf({ shopper, order }), { shopper, order, basket: wanted })
  const after = leftOfAll(model)
  const isLast = after === 0 && model.heldBack > 0 && !model.isSettled
  return {
    kind: 'reserved',
    quantity: basketUnits(wanted),
    remaining: after,
    ...(isLast && { holdsBack: true }),
  }
}

const rightful = (sale: Sale, { shopper, order, basket: units }: ModelOrder, isEnded = units === undefined) => {
  const { orderId, shopperId, quantity } = aBasket(sale, shopper, units ?? {}, order)
  return {
    orderId,
    shopperId,
    quantity: isEnded ? 0 : quantity,
    ...(units && { basket: units }),
    reservedAt: 5_000,
  }
}

async function playBuy(model: Model, action: Extract<Step, { do: 'buy' }>) {
  const { sale } = model
  const purchase = aBasket(sale, action.shopper, action.basket, action.order)
  // A shopper who was forgotten may buy again under another order; under this one the table decides.
  if (model.lost.has(keyOf(action))) return
  const answer = expected(model, action)
  expect(await reserve(rig.redis, purchase)).toMatchObject(answer)
}

async function playRelease(model: Model, step: Extract<Step, { do: 'release' }>) {
  const { sale } = model
  const { shopper, order } = [...model.orders.values()].filter((one) => one.basket)[step.at] ?? step
  const action = { shopper, order }
  if (model.lost.has(keyOf(action))) return
  const known = model.orders.get(keyOf(action))
  const before = leftOf(model)
  const wasLeft = leftOfAll(model)
  model.orders.set(keyOf(action), { ...action, basket: undefined })
  const after = leftOf(model)
  const isRestock =
    (wasLeft <= 0 && leftOfAll(model) > 0) || ids.some((id) => (before[id] ?? 0) <= 0 && (after[id] ?? 0) > 0)
  const first = await readStock(rig.redis, sale.saleId)
  const released = await release(rig.redis, sale.saleId, [rightful(sale, { ...action, basket: undefined })])
  expect(released).toEqual({
    kind: 'released',
    orders: known?.basket === undefined ? 0 : 1,
    stockRevision: (first?.stockRevision ?? 0) + (isRestock ? 1 : 0),
  })
}

/** The table has an order that Redis lacks, as far as its units are there, or one that has ended. */
async function playRestore(model: Model, action: Extract<Step, { do: 'restore' }>) {
  const key = keyOf(action)
  if (model.lost.has(key)) return
  const known = model.orders.get(key)
  const left = leftOf(model)
  const fits =
    basketUnits(action.basket) <= leftOfAll(model) &&
    Object.entries(action.basket).every(([id, units]) => units <= (left[id] ?? 0))
  const listed = known ?? { ...action, basket: fits ? action.basket : undefined }
  const isEnded = action.isEnded || listed.basket === undefined
  const { shopper, order } = action
  model.orders.set(key, { shopper, order, basket: isEnded ? undefined : listed.basket })
  // Restored at a time that no recovery held units back for.
  const line = { ...rightful(model.sale, listed, isEnded), reservedAt: 9_000_000 }
  const orders = known === undefined || (isEnded && known.basket !== undefined) ? 1 : 0
  expect(await restore(rig.redis, model.sale.saleId, [line])).toMatchObject({ kind: 'restored', orders })
}

async function playAdd(model: Model, delta: number, units: VariantUnits, isTwice: boolean) {
  const { sale } = model
  model.change += 1
  const left = leftOf(model)
  const isShort = leftOfAll(model) + delta < 0 || Object.entries(units).some(([id, more]) => (left[id] ?? 0) + more < 0)
  const fits = delta > 0 || !isShort
  if (fits) {
    model.sale = { ...sale, ...changedStock(sale, { delta, units }) }
  }
  for (const kind of fits ? (['changed', 'repeat'] as const) : (['below-booked', 'below-booked'] as const)) {
    const made = await addStock(rig.redis, sale.saleId, { number: model.change, delta, units })
    expect(made).toMatchObject({ kind })
    if (!isTwice) return
  }
}

/** Everything is lost. The recovery finds the orders that are in the table and holds back the units of others. */
async function playLoss(model: Model, { listed, more }: Extract<Step, { do: 'lose' }>) {
  const { sale } = model
  const { saleId } = sale
  await removeStock(rig.redis, saleId)
  await freeze(rig.redis, saleId)
  for (const [key, one] of model.orders) {
    if (one.shopper > listed && one.basket !== undefined) {
      model.lost.set(key, one)
      model.orders.delete(key)
    }
  }
  const orders = [...model.orders.values()].map((one) => rightful(sale, one))
  await restore(rig.redis, saleId, orders)
  expect(await recountHolds(rig.redis, saleId)).toEqual({ kind: 'recounted' })
  const onTheWay = basketsOf(model.lost.values())
  const units = basketUnits(onTheWay) + more
  model.since += 1
  const before = { ...sale, lastChange: model.change }
  await unfreeze(rig.redis, before, model.since, { units, since: 10_000 + model.since })
  model.heldBack = 0
  model.heldOf = {}
  model.isSettled = false
  const leftOver = leftOfAll(model)
  const left = leftOf(model)
  model.heldBack = Math.min(units, leftOver)
  for (const id of ids) model.heldOf[id] = Math.min(units, left[id] ?? 0)
}

async function playArrival(model: Model) {
  const { sale } = model
  const arriving = [...model.lost]
  await restore(
    rig.redis,
    sale.saleId,
    arriving.map(([, one]) => rightful(sale, one)),
  )
  for (const [key, one] of arriving) {
    model.orders.set(key, one)
    model.lost.delete(key)
  }
  const arrived = basketsOf(arriving.map(([, one]) => one))
  model.heldBack -= Math.min(model.heldBack, basketUnits(arrived))
  for (const id of ids) {
    const held = model.heldOf[id] ?? 0
    model.heldOf[id] = held - Math.min(held, arrived[id] ?? 0)
  }
}

/** What is still on its way are dead letters by now; all else is for sale. */
async function playSettling(model: Model) {
  if (model.since === 0) return
  const keepOf = basketsOf(model.lost.values())
  const keep = basketUnits(keepOf)
  const { saleId } = model.sale
  const since = 10_000 + model.since
  await releaseHeldBack(rig.redis, saleId, { since, keep, keepOf, quietSince: undefined, isSettled: true })
  model.heldBack = Math.min(model.heldBack, keep)
  model.isSettled = true
  for (const id of ids) model.heldOf[id] = Math.min(model.heldOf[id] ?? 0, keepOf[id] ?? 0)
}

async function play({ stocks, limitPerShopper, steps }: Parameters<Parameters<typeof life.map>[0]>[0]) {
  const limits = { limitPerShopper, maxPerOrder: 9 }
  const throttle = { perShopper: { limit: 1000, windowSeconds: 1 }, perIp: { limit: 1000, windowSeconds: 1 } }
  const sale = aSaleOfVariants(stocks, { endsAt: 1_000_000, throttle, ...limits })
  const model: Model = {
    ...{ sale, orders: new Map(), lost: new Map() },
    ...{ heldBack: 0, heldOf: {}, isSettled: false, since: 0, change: 0 },
  }
  await warmStock(rig.redis, sale)
  for (const action of steps) {
    if (action.do === 'buy') await playBuy(model, action)
    else if (action.do === 'release') await playRelease(model, action)
    else if (action.do === 'restore') await playRestore(model, action)
    else if (action.do === 'add') await playAdd(model, action.delta, { [action.id]: action.delta }, action.isTwice)
    else if (action.do === 'window') await playAdd(model, basketUnits(action.units), action.units, true)
    else if (action.do === 'lose') await playLoss(model, action)
    else if (action.do === 'arrive') await playArrival(model)
    else await playSettling(model)
    await compare(model)
  }
}

/** No variant is sold twice, and every counter is what the orders say. */
async function compare(model: Model) {
  const { saleId, stock, variants = [] } = model.sale
  const sold = soldOf(model)
  const left = leftOf(model)
  const facts = await readStock(rig.redis, saleId)
  expect(facts).toMatchObject({
    total: stock,
    booked: basketUnits(sold) + model.heldBack,
    heldBack: model.heldBack,
  })
  for (const { id, stock: total } of variants) {
    expect([id, facts?.variants?.[id]]).toEqual([id, { total, left: left[id], heldBack: model.heldOf[id] ?? 0 }])
    expect((sold[id] ?? 0) + (basketsOf(model.lost.values())[id] ?? 0)).toBeLessThanOrEqual(total)
  }
  expect(basketUnits(Object.fromEntries(variants.map(({ id }) => [id, facts?.variants?.[id]?.total ?? 0])))).toBe(stock)
  expect((await readCounts(rig.redis, saleId))?.holds).toHaveLength(
    [...model.orders.values()].filter((one) => one.basket !== undefined).length,
  )
  expect(await isMiscounted({ stock: rig.redis }, saleId)).toBe(false)
  for (let shopper = 1; shopper <= shoppers; shopper += 1) {
    const held = await ordersOfShopper(rig.redis, saleId, shopperIdOf(shopper))
    expect(sumOfUnits(held.map((one) => one.basket ?? {}))).toEqual(
      basketsOf([...model.orders.values()].filter((one) => one.shopper === shopper)),
    )
  }
}

describe('any sequence of steps of a sale with variants', () => {
  it('sells no unit of a variant twice, loses none, and matches the model, also after a loss (N1, I1, I3, I4, I5)', async () => {
    await fc.assert(fc.asyncProperty(life, play), {
      numRuns: inSample(20, 100),
      ...(process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {}),
    })
  })
})
