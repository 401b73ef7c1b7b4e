/**
 * Random sequences of steps of a sale, with variants and without, run against Redis and against a model that is simple enough
 * to verify by reading. The seed of a failing run is printed with the failure, and `FC_SEED` repeats it.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Flag } from '../../core/sale/phase.ts'
import { defaultThrottle, type Sale } from '../../core/sale/sale.ts'
import { allUnits, sumByVariant, type VariantUnits } from '../../core/sale/variants.ts'
import { isMiscounted, recountHolds } from '../../functions/recovery/stock/recount-holds.ts'
import { changedStock } from '../../functions/sales/changed-sale.ts'
import { readCounts } from '../../proof/stock-counts.ts'
import { reserve } from '../../redis/buy/reserve.ts'
import { release } from '../../redis/orders/release.ts'
import { restore } from '../../redis/orders/restore.ts'
import { addStock } from '../../redis/stock/add-stock.ts'
import { freeze, unfreeze } from '../../redis/stock/freeze.ts'
import { releaseHeldBack } from '../../redis/stock/release-held-back.ts'
import { ordersOfShopper, readStock, removeStock } from '../../redis/stock/stock.ts'
import { updateDefinition, warmStock } from '../../redis/stock/warm.ts'
import { inSample } from '../whole-plays.ts'
import { aPurchase, aSale, aSaleOfVariants, orderIdOf, shopperIdOf, tokenOf, useRedisRig } from './support.ts'

const rig = useRedisRig()

const ids = ['l', 'm', 's'] as const
const shoppers = 3

/** `variant` counts where the sale has variants. */
type Units = { quantity: number; variant: (typeof ids)[number] }
type Place = { shopper: number; order: number }

const place = { shopper: fc.integer({ min: 1, max: shoppers }), order: fc.integer({ min: 1, max: 3 }) }
const unitsOf = (...quantities: number[]): fc.Arbitrary<Units> =>
  fc.record({ quantity: fc.constantFrom(...quantities), variant: fc.constantFrom(...ids) })
/** The limit of a shopper in two seconds is high, so that stock and limits decide in most sales. */
const tries = fc.constantFrom(1, 2, 3, 5, 99, 99, 99)
/** A step with its name and its weight. */
const weighted = <Name extends string, Fields>(
  weight: number,
  name: Name,
  fields: { [K in keyof Fields]: fc.Arbitrary<Fields[K]> },
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(name), ...fields }) as fc.Arbitrary<{ do: Name } & Fields>,
})

const step = fc.oneof(
  weighted(14, 'buy', {
    ...place,
    units: unitsOf(0, 1, 1, 1, 2, 2, 2, 3, 4, 5),
    // Sometimes back: each function that forwards purchases has its own clock.
    afterMs: fc.integer({ min: -300, max: 900 }),
    isOldToken: fc.nat({ max: 5 }).map((n) => n === 0),
    isTwice: fc.boolean(),
  }),
  weighted(1, 'flip', {
    flag: fc.constantFrom<Flag>('on', 'on', 'on', 'on', 'on', 'paused', 'off'),
    tries,
    isLate: fc.boolean(),
  }),
  weighted(2, 'add', {
    id: fc.constantFrom(...ids),
    delta: fc.integer({ min: -4, max: 4 }).filter((units) => units !== 0),
    isTwice: fc.boolean(),
  }),
  weighted(1, 'window', {
    units: fc.record({ l: fc.nat({ max: 3 }), m: fc.nat({ max: 3 }), s: fc.integer({ min: 1, max: 3 }) }),
  }),
  weighted(1, 'warm', {}),
  // `at`: of the order at that place among those that hold units, where there are enough.
  weighted(3, 'release', { ...place, at: fc.nat({ max: 6 }), isTwice: fc.boolean() }),
  // The table has an order as it is now, as it was before its end (`isStale`), or ended.
  weighted(2, 'restore', { ...place, units: unitsOf(1, 2, 3, 4), isEnded: fc.boolean(), isStale: fc.boolean() }),
  /**
   * The stock is frozen, recovered by what the table says, and opened again. Where Redis has lost everything, orders of
   * shoppers up to `listed` are in the table, the others on their way; `more` units are held back for unknown orders.
   */
  weighted(3, 'recover', { ...place, isLost: fc.boolean(), listed: fc.nat({ max: 2 }), more: fc.nat({ max: 3 }) }),
  // The orders that were on their way to the table arrive.
  weighted(2, 'arrive', {}),
  weighted(3, 'settle', {}),
)
type Step<Name extends string> = Extract<typeof step extends fc.Arbitrary<infer Any> ? Any : never, { do: Name }>

const life = fc.record({
  hasVariants: fc.boolean(),
  stocks: fc.record({ l: fc.nat({ max: 3 }), m: fc.nat({ max: 5 }), s: fc.integer({ min: 1, max: 4 }) }),
  limitPerShopper: fc.integer({ min: 1, max: 6 }),
  maxPerOrder: fc.integer({ min: 1, max: 6 }),
  tries,
  steps: fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }),
})

/** `holds` is false once the units were given back, for good. */
type ModelOrder = Place & { units: Units; holds: boolean }

/**
 * `lost` are orders that Redis has forgotten and the table does not have yet; as many units are held back for them, in
 * all and of each variant. A `forgotten` shopper may buy more than the limit. `tries` are the times of each shopper's
 * counted tries, `now` the clock of the last purchase.
 */
type Model = {
  sale: Sale
  orders: Map<string, ModelOrder>
  lost: Map<string, ModelOrder>
  forgotten: Set<number>
  outbox: Set<string>
  tries: Map<number, number[]>
  now: number
  stockRevision: number
  heldBack: number
  heldOf: Record<string, number>
  isSettled: boolean
  since: number
  change: number
}

const keyOf = ({ shopper, order }: Place) => `${shopper}/${order}`
const heldBy = (orders: Iterable<ModelOrder>) =>
  sumByVariant([...orders].filter(({ holds }) => holds).map(({ units }) => units))
const soldOf = ({ orders }: Model) => heldBy(orders.values())
const bookedIn = (model: Model) => allUnits(soldOf(model)) + model.heldBack
const ordersOf = ({ orders }: Model, shopper: number) => [...orders.values()].filter((one) => one.shopper === shopper)
const boughtBy = (model: Model, shopper: number) => allUnits(heldBy(ordersOf(model, shopper)))
const leftOfAll = (model: Model) => model.sale.stock - bookedIn(model)

/** Returns the units left of each variant. */
function leftOf(model: Model): Record<string, number> {
  const sold = soldOf(model)
  const variants = model.sale.variants ?? []
  return Object.fromEntries(
    variants.map(({ id, stock }) => [id, stock - (sold[id] ?? 0) - (model.heldOf[id] ?? 0)] as const),
  )
}

/** Changes the model; units that return where nothing was left are a new revision of the stock. */
function change(model: Model, by: () => void): void {
  const left = () => [leftOfAll(model), ...Object.values(leftOf(model))]
  const before = left()
  by()
  if (left().some((units, at) => units > 0 && (before[at] ?? 0) <= 0)) model.stockRevision += 1
}

/** The units as Redis is asked for them. */
const wanted = ({ variants }: Sale, { quantity, variant }: Units) => ({ quantity, ...(variants && { variant }) })

const throttleOf = (tries: number) => ({ ...defaultThrottle, perShopper: { limit: tries, windowSeconds: 2 } })

/** How long `shopper` must wait when their window is full; counts a try otherwise. */
function triesOf({ tries, now, sale }: Model, shopper: number, { isCounted }: { isCounted: boolean }): number {
  const { limit, windowSeconds } = sale.throttle.perShopper
  const times = tries.get(shopper) ?? []
  const at = Math.max(now, ...times)
  const recent = times.filter((time) => at - time < windowSeconds * 1000)
  const oldest = recent[recent.length - limit]
  if (oldest !== undefined) return oldest + windowSeconds * 1000 - at
  if (isCounted) tries.set(shopper, [...times, at])
  return 0
}

/** Returns the expected answer to a purchase, and updates the model. */
function expected(model: Model, { shopper, order, units, isOldToken }: Step<'buy'>) {
  const { sale, stockRevision } = model
  const key = keyOf({ shopper, order })
  const remaining = leftOfAll(model)
  const known = model.orders.get(key)
  if (known !== undefined) return { kind: 'repeat', remaining, ...heldUnits(sale, known) }
  if (sale.flag === 'paused') return { kind: 'paused' }
  if (sale.flag === 'off') return { kind: 'not-started' }
  if (isOldToken) return { kind: 'stale-page' }
  const { quantity, variant } = units
  if (quantity < 1) return { kind: 'invalid-request' }
  const asksTooMuch = quantity > sale.maxPerOrder
  const isRefused = asksTooMuch || boughtBy(model, shopper) + quantity > sale.limitPerShopper
  const left = sale.variants ? (leftOf(model)[variant] ?? 0) : remaining
  const isShort = !isRefused && left < quantity
  const retryAfterMs = triesOf(model, shopper, { isCounted: !isShort })
  if (retryAfterMs > 0) return { kind: 'too-many-requests', retryAfterMs }
  if (isRefused) return { kind: asksTooMuch ? 'invalid-request' : 'limit-reached' }
  if (isShort) {
    const heldBack = sale.variants ? (model.heldOf[variant] ?? 0) : model.heldBack
    if (heldBack > 0 && !model.isSettled) return { kind: 'unavailable', isHeldBack: true }
    const shortVariant = sale.variants && { shortVariant: { variant, left } }
    return { kind: 'sold-out', remaining, stockRevision, booked: bookedIn(model), ...shortVariant }
  }
  model.orders.set(key, { shopper, order, units, holds: true })
  model.outbox.add(key)
  const after = { remaining: remaining - quantity, stockRevision, booked: bookedIn(model) }
  const isLast = after.remaining === 0 && model.heldBack > 0 && !model.isSettled
  return { kind: 'reserved', quantity, ...after, ...(isLast && { holdsBack: true }) }
}

const heldUnits = (sale: Sale, { units, holds }: ModelOrder) => (holds ? wanted(sale, units) : { quantity: 0 })

const rightful = (sale: Sale, one: ModelOrder) => ({
  ...{ orderId: orderIdOf(sale.saleId, one.shopper, one.order), shopperId: shopperIdOf(one.shopper) },
  ...{ reservedAt: 5_000, ...heldUnits(sale, one) },
})

async function playBuy(model: Model, action: Step<'buy'>) {
  const { sale } = model
  model.now += action.afterMs
  // A shopper who was forgotten may buy again under another order; under this one the table decides.
  if (model.lost.has(keyOf(action))) return
  const token = action.isOldToken && { startToken: tokenOf(0) }
  const changes = { ...wanted(sale, action.units), now: model.now, ...token }
  const purchase = aPurchase(sale, action.shopper, action.order, changes)
  for (let turn = 0; turn < (action.isTwice ? 2 : 1); turn += 1) {
    const answer = expected(model, action)
    expect(await reserve(rig.redis, purchase)).toMatchObject(answer)
  }
}

/** A late call with the former settings changes nothing. */
async function playFlip(model: Model, { flag, tries, isLate }: Step<'flip'>) {
  const { sale } = model
  const epoch = flag === 'on' && sale.flag === 'off' ? sale.epoch + 1 : sale.epoch
  const settings = { flag, epoch, startToken: tokenOf(epoch), throttle: throttleOf(tries) }
  model.sale = { ...sale, ...settings, version: sale.version + 1 }
  await updateDefinition(rig.redis, model.sale)
  if (isLate) await updateDefinition(rig.redis, sale)
}

async function playRelease(model: Model, action: Step<'release'>) {
  const { saleId } = model.sale
  const { shopper, order } = [...model.orders.values()].filter(({ holds }) => holds)[action.at] ?? action
  const key = keyOf({ shopper, order })
  if (model.lost.has(key)) return
  for (let turn = 0; turn < (action.isTwice ? 2 : 1); turn += 1) {
    const known = model.orders.get(key)
    // The order id is final now, even if it was unknown before.
    const units = known?.units ?? { quantity: 0, variant: 'l' }
    change(model, () => model.orders.set(key, { shopper, order, units, holds: false }))
    model.outbox.delete(key)
    const released = await release(rig.redis, saleId, [
      { orderId: orderIdOf(saleId, shopper, order), shopperId: shopperIdOf(shopper) },
    ])
    expect(released).toEqual({ kind: 'released', orders: known?.holds ? 1 : 0, stockRevision: model.stockRevision })
  }
}

async function playRestore(model: Model, action: Step<'restore'>) {
  const { sale } = model
  const { shopper, order, units, isEnded, isStale } = action
  const key = keyOf(action)
  if (model.lost.has(key)) return
  const known = model.orders.get(key)
  const left = Math.min(leftOfAll(model), sale.variants ? (leftOf(model)[units.variant] ?? 0) : Infinity)
  const fits = units.quantity <= Math.min(left, sale.limitPerShopper - boughtBy(model, shopper))
  const before = known ?? { shopper, order, units, holds: fits }
  const after = { ...before, holds: before.holds && (!isEnded || (known !== undefined && isStale)) }
  change(model, () => model.orders.set(key, after))
  if (!after.holds) model.outbox.delete(key)
  // Restored at a time that no recovery held units back for.
  const line = { ...rightful(sale, known && isStale ? { ...after, holds: true } : after), reservedAt: 50_000 }
  const orders = known === undefined || known.holds !== after.holds ? 1 : 0
  const { stockRevision } = model
  expect(await restore(rig.redis, sale.saleId, [line])).toEqual({
    ...{ kind: 'restored', orders, booked: bookedIn(model), stockRevision },
  })
}

async function playAdd(model: Model, delta: number, ofVariants: VariantUnits, isTwice: boolean) {
  const { sale } = model
  const units = sale.variants ? ofVariants : {}
  model.change += 1
  const left = leftOf(model)
  const isShort = leftOfAll(model) + delta < 0 || Object.entries(units).some(([id, more]) => (left[id] ?? 0) + more < 0)
  const fits = delta > 0 || !isShort
  if (fits) model.sale = { ...sale, ...changedStock(sale, { delta, units }) }
  if (fits && delta > 0) model.stockRevision += 1
  const { stockRevision } = model
  const total = sale.variants && !fits ? {} : { total: model.sale.stock }
  for (const kind of fits ? (['changed', 'repeat'] as const) : (['below-booked', 'below-booked'] as const)) {
    const made = await addStock(rig.redis, sale.saleId, { number: model.change, delta, units })
    expect(made).toMatchObject({ kind, ...total, ...(kind !== 'below-booked' && { stockRevision }) })
    if (!isTwice) return
  }
}

async function playRecovery(model: Model, action: Step<'recover'>) {
  const { sale } = model
  const { saleId } = sale
  if (action.isLost) {
    await removeStock(rig.redis, saleId)
    model.outbox.clear()
    model.tries.clear()
    for (const [key, one] of model.orders) {
      if (one.shopper <= action.listed || !one.holds) continue
      model.lost.set(key, one)
      model.orders.delete(key)
      model.forgotten.add(one.shopper)
    }
  }
  await freeze(rig.redis, saleId)
  const orders = [...model.orders.values()].map((one) => rightful(sale, one))
  const put = { kind: 'restored', orders: action.isLost ? orders.length : 0 }
  expect(await restore(rig.redis, saleId, orders)).toMatchObject(put)
  expect(await recountHolds(rig.redis, saleId)).toEqual({ kind: 'recounted' })
  const known = model.orders.get(keyOf(action))
  const met = known ? { kind: 'repeat', ...heldUnits(sale, known) } : { kind: 'unavailable' }
  const purchase = aPurchase(sale, action.shopper, action.order, { now: model.now })
  expect(await reserve(rig.redis, purchase), 'while it is frozen').toMatchObject(met)
  const units = allUnits(heldBy(model.lost.values())) + action.more
  model.since += 1
  Object.assign(model, { heldBack: 0, heldOf: {}, isSettled: false })
  const [leftOver, left] = [leftOfAll(model), leftOf(model)]
  model.heldBack = Math.min(units, leftOver)
  for (const id of Object.keys(left)) model.heldOf[id] = Math.min(units, left[id] ?? 0)
  const held = { units, since: 10_000 + model.since }
  const unfrozen = await unfreeze(rig.redis, { ...sale, lastChange: model.change }, model.stockRevision, held)
  model.stockRevision += 1
  const counters = { total: sale.stock, booked: bookedIn(model), stockRevision: model.stockRevision }
  expect(unfrozen).toEqual({ kind: 'unfrozen', ...counters })
}

async function playArrival(model: Model) {
  const arriving = [...model.lost]
  const lines = arriving.map(([, one]) => rightful(model.sale, one))
  await restore(rig.redis, model.sale.saleId, lines)
  for (const [key, one] of arriving) model.orders.set(key, one)
  model.lost.clear()
  const arrived = heldBy(arriving.map(([, one]) => one))
  model.heldBack -= Math.min(model.heldBack, allUnits(arrived))
  for (const [id, held] of Object.entries(model.heldOf)) model.heldOf[id] = held - Math.min(held, arrived[id] ?? 0)
}

/** Messages still on their way are dead letters by now; all other units are for sale. */
async function playSettling(model: Model) {
  if (model.since === 0) return
  const keepOf = heldBy(model.lost.values())
  const keep = allUnits(keepOf)
  const keeping = { since: 10_000 + model.since, keep, keepOf, quietSince: undefined, isFinal: true }
  const before = [model.heldBack, allUnits(model.heldOf)] as const
  model.isSettled = true
  change(model, () => {
    model.heldBack = Math.min(model.heldBack, keep)
    for (const [id, held] of Object.entries(model.heldOf)) model.heldOf[id] = Math.min(held, keepOf[id] ?? 0)
  })
  const units = Math.max(before[0] - model.heldBack, before[1] - allUnits(model.heldOf))
  const released = { kind: 'released', units, stockRevision: model.stockRevision }
  expect(await releaseHeldBack(rig.redis, model.sale.saleId, keeping)).toEqual(released)
}

type Life = typeof life extends fc.Arbitrary<infer Any> ? Any : never

async function play({ hasVariants, stocks, limitPerShopper, maxPerOrder, tries, steps }: Life) {
  const settings = { limitPerShopper, maxPerOrder: Math.min(maxPerOrder, limitPerShopper), throttle: throttleOf(tries) }
  const open = { endsAt: 1_000_000, ...settings }
  const sale = hasVariants ? aSaleOfVariants(stocks, open) : aSale({ stock: allUnits(stocks), ...open })
  const model: Model = {
    ...{ sale, orders: new Map(), lost: new Map(), forgotten: new Set(), outbox: new Set(), tries: new Map() },
    ...{ now: 100_000, stockRevision: 0, heldBack: 0, heldOf: {}, isSettled: false, since: 0, change: 0 },
  }
  await warmStock(rig.redis, sale)
  for (const action of steps) {
    if (action.do === 'buy') await playBuy(model, action)
    else if (action.do === 'flip') await playFlip(model, action)
    else if (action.do === 'release') await playRelease(model, action)
    else if (action.do === 'restore') await playRestore(model, action)
    else if (action.do === 'add') await playAdd(model, action.delta, { [action.id]: action.delta }, action.isTwice)
    else if (action.do === 'window') await playAdd(model, allUnits(action.units), action.units, true)
    else if (action.do === 'recover') await playRecovery(model, action)
    else if (action.do === 'arrive') await playArrival(model)
    else if (action.do === 'settle') await playSettling(model)
    else {
      const counters = { total: model.sale.stock, booked: bookedIn(model) }
      expect(await warmStock(rig.redis, model.sale)).toEqual(counters)
    }
    await compare(model)
  }
}

/** No unit is sold twice, and every counter is what the orders say. */
async function compare(model: Model) {
  const { saleId, stock, variants = [], limitPerShopper } = model.sale
  const [sold, left, lost] = [soldOf(model), leftOf(model), heldBy(model.lost.values())]
  const facts = await readStock(rig.redis, saleId)
  expect(facts).toMatchObject({ total: stock, booked: bookedIn(model), heldBack: model.heldBack })
  expect(allUnits(sold) + allUnits(lost)).toBeLessThanOrEqual(stock)
  for (const { id, stock: total } of variants) {
    expect([id, facts?.variants?.[id]]).toEqual([id, { total, left: left[id], heldBack: model.heldOf[id] ?? 0 }])
    expect((sold[id] ?? 0) + (lost[id] ?? 0)).toBeLessThanOrEqual(total)
  }
  if (facts?.variants) expect(allUnits(sumOfTotals(facts.variants))).toBe(stock)
  const counts = await readCounts(rig.redis, saleId)
  expect(counts?.outbox).toBe(model.outbox.size)
  expect(counts?.holds).toHaveLength([...model.orders.values()].filter(({ holds }) => holds).length)
  expect(await isMiscounted({ stock: rig.redis }, saleId)).toBe(false)
  for (let shopper = 1; shopper <= shoppers; shopper += 1) {
    const held = await ordersOfShopper(rig.redis, saleId, shopperIdOf(shopper))
    const units = boughtBy(model, shopper)
    if (variants.length > 0) expect(sumByVariant(held)).toEqual(heldBy(ordersOf(model, shopper)))
    else expect(held.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(units)
    if (!model.forgotten.has(shopper)) expect(units).toBeLessThanOrEqual(limitPerShopper)
  }
}

const sumOfTotals = (variants: Readonly<Record<string, { total: number }>>) =>
  Object.fromEntries(Object.entries(variants).map(([id, { total }]) => [id, total]))

describe('any sequence of steps of a sale', () => {
  it('sells no unit twice, loses none, keeps the limits of each shopper, and matches the model, also after a loss (N1, I1, I3, I4, I5, O9, G7, P10, R2, S8)', async () => {
    await fc.assert(fc.asyncProperty(fc.noBias(life), play), {
      numRuns: inSample(60, 500),
      ...(process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {}),
    })
  })
})
