/**
 * Random sequences of steps of a sale with variants, run against Redis and against a model that is simple enough
 * to verify by reading. The seed of a failing run is printed with the failure, and `FC_SEED` repeats it.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { allUnits, type OrderUnits, sumByVariant, type VariantUnits } from '../../../core/sale/variants.ts'
import { isMiscounted, recountHolds } from '../../../functions/repair/stock/recount-holds.ts'
import { changedStock } from '../../../functions/sales/changed-sale.ts'
import { readCounts } from '../../../proof/all-holds.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { release } from '../../../redis/orders/release.ts'
import { restore } from '../../../redis/orders/restore.ts'
import { addStock } from '../../../redis/stock/add-stock.ts'
import { freeze, unfreeze } from '../../../redis/stock/freeze.ts'
import { releaseHeldBack } from '../../../redis/stock/release-held-back.ts'
import { ordersOfShopper, readStock, removeStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { inSample } from '../../whole-plays.ts'
import { aPurchase, aSaleOfVariants, shopperIdOf, useRedisRig } from '../support.ts'

const rig = useRedisRig()

const ids = ['l', 'm', 's'] as const
const shoppers = 4

type Units = Required<OrderUnits> & { variant: string }
const units: fc.Arbitrary<Units> = fc.record({
  quantity: fc.integer({ min: 1, max: 4 }),
  variant: fc.constantFrom(...ids),
})

const someOrder = { shopper: fc.integer({ min: 1, max: shoppers }), order: fc.integer({ min: 1, max: 3 }) }

type Place = { shopper: number; order: number }
type Step =
  | ({ do: 'buy'; units: Units } & Place)
  /** `at`: of the order at that place among those that hold units, where there are so many. */
  | ({ do: 'release'; at: number } & Place)
  | ({ do: 'restore'; units: Units; isEnded: boolean } & Place)
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
    arbitrary: fc.record({ do: fc.constant('buy' as const), ...someOrder, units }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('release' as const), ...someOrder, at: fc.nat({ max: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('restore' as const), ...someOrder, units, isEnded: fc.boolean() }),
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
    arbitrary: fc.record({ do: fc.constant('lose' as const), listed: fc.nat({ max: 2 }), more: fc.nat({ max: 3 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('arrive' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
)

const life = fc.record({
  stocks: fc.record({ l: fc.nat({ max: 3 }), m: fc.nat({ max: 5 }), s: fc.integer({ min: 1, max: 4 }) }),
  limitPerShopper: fc.integer({ min: 2, max: 8 }),
  steps: fc.array(step, { minLength: 1, maxLength: 30 }),
})

/** `units` is undefined once they were given back, for good. */
type ModelOrder = Place & { units: Units | undefined }

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
const heldBy = (orders: Iterable<ModelOrder>) => sumByVariant([...orders].flatMap((one) => one.units ?? []))
const soldOf = (model: Model) => heldBy(model.orders.values())
const boughtBy = (model: Model, shopper: number) =>
  allUnits(heldBy([...model.orders.values()].filter((one) => one.shopper === shopper)))

/** What is left of each variant. */
function leftOf(model: Model): Record<string, number> {
  const sold = soldOf(model)
  const left = ({ id, stock }: { id: string; stock: number }) =>
    [id, stock - (sold[id] ?? 0) - (model.heldOf[id] ?? 0)] as const
  return Object.fromEntries((model.sale.variants ?? []).map(left))
}

const leftOfAll = (model: Model) => model.sale.stock - allUnits(soldOf(model)) - model.heldBack

/** What a purchase must be answered, and the model after it. */
function expected(model: Model, { shopper, order, units }: Extract<Step, { do: 'buy' }>) {
  const known = model.orders.get(keyOf({ shopper, order }))
  const remaining = Math.max(0, leftOfAll(model))
  if (known !== undefined) {
    return { kind: 'repeat', remaining, quantity: 0, ...known.units }
  }
  const { quantity, variant } = units
  if (boughtBy(model, shopper) + quantity > model.sale.limitPerShopper) return { kind: 'limit-reached' }
  const left = leftOf(model)[variant] ?? 0
  if (left < quantity) {
    const isGone = model.isSettled || (model.heldOf[variant] ?? 0) === 0
    if (!isGone) return { kind: 'unavailable', isHeldBack: true }
    return { kind: 'sold-out', remaining, lacking: { variant, left: Math.max(0, left) } }
  }
  model.orders.set(keyOf({ shopper, order }), { shopper, order, units })
  const after = leftOfAll(model)
  const isLast = after === 0 && model.heldBack > 0 && !model.isSettled
  return {
    kind: 'reserved',
    quantity,
    remaining: after,
    ...(isLast && { holdsBack: true }),
  }
}

const rightful = (sale: Sale, { shopper, order, units }: ModelOrder, isEnded = units === undefined) => {
  const { orderId, shopperId } = aPurchase(sale, shopper, order)
  return { orderId, shopperId, ...units, quantity: isEnded ? 0 : (units?.quantity ?? 0), reservedAt: 5_000 }
}

async function playBuy(model: Model, action: Extract<Step, { do: 'buy' }>) {
  const { sale } = model
  const purchase = aPurchase(sale, action.shopper, action.order, action.units)
  // A shopper who was forgotten may buy again under another order; under this one the table decides.
  if (model.lost.has(keyOf(action))) return
  const answer = expected(model, action)
  expect(await reserve(rig.redis, purchase)).toMatchObject(answer)
}

async function playRelease(model: Model, step: Extract<Step, { do: 'release' }>) {
  const { sale } = model
  const { shopper, order } = [...model.orders.values()].filter((one) => one.units)[step.at] ?? step
  const action = { shopper, order }
  if (model.lost.has(keyOf(action))) return
  const known = model.orders.get(keyOf(action))
  const before = leftOf(model)
  const wasLeft = leftOfAll(model)
  model.orders.set(keyOf(action), { ...action, units: undefined })
  const after = leftOf(model)
  const isRestock =
    (wasLeft <= 0 && leftOfAll(model) > 0) || ids.some((id) => (before[id] ?? 0) <= 0 && (after[id] ?? 0) > 0)
  const first = await readStock(rig.redis, sale.saleId)
  const released = await release(rig.redis, sale.saleId, [rightful(sale, { ...action, units: undefined })])
  expect(released).toEqual({
    kind: 'released',
    orders: known?.units === undefined ? 0 : 1,
    stockRevision: (first?.stockRevision ?? 0) + (isRestock ? 1 : 0),
  })
}

/** The table has an order that Redis lacks, as far as its units are there, or one that has ended. */
async function playRestore(model: Model, action: Extract<Step, { do: 'restore' }>) {
  const key = keyOf(action)
  if (model.lost.has(key)) return
  const known = model.orders.get(key)
  const { quantity, variant } = action.units
  const fits = quantity <= leftOfAll(model) && quantity <= (leftOf(model)[variant] ?? 0)
  const listed = known ?? { ...action, units: fits ? action.units : undefined }
  const isEnded = action.isEnded || listed.units === undefined
  const { shopper, order } = action
  model.orders.set(key, { shopper, order, units: isEnded ? undefined : listed.units })
  // Restored at a time that no recovery held units back for.
  const line = { ...rightful(model.sale, listed, isEnded), reservedAt: 9_000_000 }
  const orders = known === undefined || (isEnded && known.units !== undefined) ? 1 : 0
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
    if (one.shopper > listed && one.units !== undefined) {
      model.lost.set(key, one)
      model.orders.delete(key)
    }
  }
  const orders = [...model.orders.values()].map((one) => rightful(sale, one))
  await restore(rig.redis, saleId, orders)
  expect(await recountHolds(rig.redis, saleId)).toEqual({ kind: 'recounted' })
  const onTheWay = heldBy(model.lost.values())
  const units = allUnits(onTheWay) + more
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
  const arrived = heldBy(arriving.map(([, one]) => one))
  model.heldBack -= Math.min(model.heldBack, allUnits(arrived))
  for (const id of ids) {
    const held = model.heldOf[id] ?? 0
    model.heldOf[id] = held - Math.min(held, arrived[id] ?? 0)
  }
}

/** What is still on its way are dead letters by now; all else is for sale. */
async function playSettling(model: Model) {
  if (model.since === 0) return
  const keepOf = heldBy(model.lost.values())
  const keep = allUnits(keepOf)
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
    else if (action.do === 'window') await playAdd(model, allUnits(action.units), action.units, true)
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
  expect(facts).toMatchObject({ total: stock, booked: allUnits(sold) + model.heldBack, heldBack: model.heldBack })
  for (const { id, stock: total } of variants) {
    expect([id, facts?.variants?.[id]]).toEqual([id, { total, left: left[id], heldBack: model.heldOf[id] ?? 0 }])
    expect((sold[id] ?? 0) + (heldBy(model.lost.values())[id] ?? 0)).toBeLessThanOrEqual(total)
  }
  expect(allUnits(Object.fromEntries(variants.map(({ id }) => [id, facts?.variants?.[id]?.total ?? 0])))).toBe(stock)
  expect((await readCounts(rig.redis, saleId))?.holds).toHaveLength(
    [...model.orders.values()].filter((one) => one.units !== undefined).length,
  )
  expect(await isMiscounted({ stock: rig.redis }, saleId)).toBe(false)
  for (let shopper = 1; shopper <= shoppers; shopper += 1) {
    const held = await ordersOfShopper(rig.redis, saleId, shopperIdOf(shopper))
    expect(sumByVariant(held)).toEqual(heldBy([...model.orders.values()].filter((one) => one.shopper === shopper)))
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
