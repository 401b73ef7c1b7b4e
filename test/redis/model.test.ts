/**
 * Random sequences of steps of a sale, run against Redis and against a model that is simple enough to verify by reading. The
 * seed of a failing run is printed with the failure, and `FC_SEED` repeats it.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Flag } from '../../core/sale/phase.ts'
import { defaultThrottle, type Sale } from '../../core/sale/sale.ts'
import { readCounts } from '../../proof/all-holds.ts'
import { reserve } from '../../redis/buy/reserve.ts'
import { release } from '../../redis/orders/release.ts'
import { type RightfulOrder, restore } from '../../redis/orders/restore.ts'
import { addStock } from '../../redis/stock/add-stock.ts'
import { freeze, unfreeze } from '../../redis/stock/freeze.ts'
import { ordersOfShopper, removeStock } from '../../redis/stock/stock.ts'
import { flip, warmStock } from '../../redis/stock/warm.ts'
import { aPurchase, aSale, nothingHeldBack, orderIdOf, shopperIdOf, tokenOf, useRedisRig } from './support.ts'

const rig = useRedisRig()

type Step =
  | {
      do: 'reserve'
      afterMs: number
      shopper: number
      order: number
      quantity: number
      oldToken: boolean
      twice: boolean
    }
  | { do: 'flip'; flag: Flag; tries: number; late: boolean }
  | { do: 'add'; delta: number; again: boolean }
  | { do: 'warm' }
  | { do: 'release'; shopper: number; order: number; twice: boolean }
  | { do: 'restore'; shopper: number; order: number; quantity: number; stale: boolean }
  | { do: 'rebuild'; shopper: number; order: number; lost: boolean }

const shoppers = 4
const someOrder = { shopper: fc.integer({ min: 1, max: shoppers }), order: fc.integer({ min: 1, max: 3 }) }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      // Sometimes back: each function that forwards purchases has its own clock.
      afterMs: fc.integer({ min: -300, max: 900 }),
      ...someOrder,
      quantity: fc.integer({ min: 0, max: 5 }),
      oldToken: fc.nat({ max: 5 }).map((n) => n === 0),
      twice: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('flip' as const),
      flag: fc.constantFrom<Flag>('on', 'on', 'on', 'paused', 'off'),
      tries: fc.integer({ min: 1, max: 6 }),
      late: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      delta: fc.integer({ min: -4, max: 4 }),
      again: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('warm' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('release' as const), ...someOrder, twice: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('restore' as const),
      ...someOrder,
      quantity: fc.integer({ min: 0, max: 3 }),
      stale: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rebuild' as const), ...someOrder, lost: fc.boolean() }) },
)

type Life = { stock: number; limitPerShopper: number; maxPerOrder: number; tries: number; steps: Step[] }

const life: fc.Arbitrary<Life> = fc.record({
  stock: fc.integer({ min: 0, max: 12 }),
  limitPerShopper: fc.integer({ min: 1, max: 6 }),
  maxPerOrder: fc.integer({ min: 1, max: 6 }),
  tries: fc.integer({ min: 1, max: 6 }),
  steps: fc.array(step, { minLength: 1, maxLength: 30 }),
})

/** `quantity` is 0 once the units were given back, for good; `wanted` is what they were. */
type ModelOrder = { shopper: number; order: number; quantity: number; wanted: number }
/** `tries` are the times of each shopper's counted tries, `now` the clock of the last purchase. */
type Model = {
  total: number
  stockRevision: number
  orders: Map<string, ModelOrder>
  outbox: Set<string>
  tries: Map<number, number[]>
  now: number
}

const keyOf = ({ shopper, order }: { shopper: number; order: number }) => `${shopper}/${order}`

const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, n) => all + n, 0)
const booked = ({ orders }: Model) => sum([...orders.values()].map(({ quantity }) => quantity))
const boughtBy = ({ orders }: Model, shopper: number) =>
  sum([...orders.values()].filter((order) => order.shopper === shopper).map(({ quantity }) => quantity))

const throttleOf = (tries: number) => ({ ...defaultThrottle, perShopper: { limit: tries, windowSeconds: 2 } })

/** How long `shopper` must wait when their window is full; counts a try otherwise. */
function triesOf({ tries, now }: Model, sale: Sale, shopper: number, { isCounted }: { isCounted: boolean }): number {
  const { limit, windowSeconds } = sale.throttle.perShopper
  const times = tries.get(shopper) ?? []
  const at = Math.max(now, ...times)
  const recent = times.filter((time) => at - time < windowSeconds * 1000)
  const oldest = recent[recent.length - limit]
  if (oldest !== undefined) return oldest + windowSeconds * 1000 - at
  if (isCounted) tries.set(shopper, [...times, at])
  return 0
}

/** What a purchase must be answered, and the model after it. */
function expected(model: Model, sale: Sale, purchase: Extract<Step, { do: 'reserve' }>) {
  const key = keyOf(purchase)
  const left = model.total - booked(model)
  const known = model.orders.get(key)
  if (known) return { kind: 'repeat', quantity: known.quantity, remaining: left }
  if (sale.flag === 'paused') return { kind: 'paused' }
  if (sale.flag === 'off') return { kind: 'not-started' }
  if (purchase.oldToken) return { kind: 'stale-page' }
  const { shopper, order, quantity } = purchase
  if (quantity < 1) return { kind: 'invalid-request' }
  const asksTooMuch = quantity > sale.maxPerOrder
  const isRefused = asksTooMuch || boughtBy(model, shopper) + quantity > sale.limitPerShopper
  const isSoldOut = !isRefused && quantity > left
  const retryAfterMs = triesOf(model, sale, shopper, { isCounted: !isSoldOut })
  if (retryAfterMs > 0) return { kind: 'too-many-requests', retryAfterMs }
  if (isRefused) return { kind: asksTooMuch ? 'invalid-request' : 'limit-reached' }
  if (isSoldOut) return { kind: 'sold-out', remaining: left, stockRevision: model.stockRevision, booked: booked(model) }
  model.orders.set(key, { shopper, order, quantity, wanted: quantity })
  model.outbox.add(key)
  return { kind: 'reserved', remaining: left - quantity, stockRevision: model.stockRevision, booked: booked(model) }
}

/** Gives the units of an order back in the model; true when it had some. */
function giveBack(model: Model, key: string): boolean {
  const known = model.orders.get(key)
  if (known === undefined || known.quantity === 0) return false
  const wasEmpty = model.total <= booked(model)
  known.quantity = 0
  model.outbox.delete(key)
  if (wasEmpty && model.total > booked(model)) model.stockRevision += 1
  return true
}

const rightful = (sale: Sale, { shopper, order }: ModelOrder, quantity: number): RightfulOrder => ({
  orderId: orderIdOf(sale.saleId, shopper, order),
  shopperId: shopperIdOf(shopper),
  quantity,
  reservedAt: 5_000,
})

async function playRelease(sale: Sale, model: Model, step: Extract<Step, { do: 'release' }>) {
  const { shopper, order } = step
  const orderId = orderIdOf(sale.saleId, shopper, order)
  for (let turn = 0; turn < (step.twice ? 2 : 1); turn += 1) {
    const orders = giveBack(model, keyOf(step)) ? 1 : 0
    // The order id is final now, even if it was unknown before.
    if (!model.orders.has(keyOf(step))) model.orders.set(keyOf(step), { shopper, order, quantity: 0, wanted: 0 })
    const released = await release(rig.redis, sale.saleId, [{ orderId, shopperId: shopperIdOf(shopper) }])
    expect(released).toEqual({ kind: 'released', orders, stockRevision: model.stockRevision })
  }
}

/** What the table has of one order: its current state, its state before a release, or that it is final. */
async function playRestore(sale: Sale, model: Model, step: Extract<Step, { do: 'restore' }>) {
  const known = model.orders.get(keyOf(step))
  const { shopper, order } = step
  const free = Math.min(model.total - booked(model), sale.limitPerShopper - boughtBy(model, shopper))
  const unknown = { shopper, order, quantity: 0, wanted: step.quantity <= free ? step.quantity : 0 }
  const listed = known ?? unknown
  const quantity = step.stale || known === undefined ? listed.wanted : step.quantity && listed.quantity
  let orders = 0
  if (known === undefined) {
    model.orders.set(keyOf(step), { ...unknown, quantity })
    orders = 1
  } else if (quantity === 0 && giveBack(model, keyOf(step))) orders = 1
  const restored = await restore(rig.redis, sale.saleId, [rightful(sale, listed, quantity)])
  const { stockRevision } = model
  expect(restored).toEqual({ kind: 'restored', orders, booked: booked(model), stockRevision })
}

/** The stock is frozen, perhaps because all of it was lost, put right by what the table says, and opened again. */
async function playRebuild(sale: Sale, model: Model, step: Extract<Step, { do: 'rebuild' }>, lastChange: number) {
  if (step.lost) {
    await removeStock(rig.redis, sale.saleId)
    model.outbox.clear()
    model.tries.clear()
  }
  await freeze(rig.redis, sale.saleId)
  const orders = [...model.orders.values()].map((order) => rightful(sale, order, order.quantity))
  const put = { kind: 'restored', orders: step.lost ? orders.length : 0, booked: booked(model) }
  expect(await restore(rig.redis, sale.saleId, orders)).toMatchObject(put)
  const known = model.orders.get(keyOf(step))
  const met = known ? { kind: 'repeat', quantity: known.quantity } : { kind: 'unavailable' }
  const purchase = aPurchase(sale, step.shopper, step.order, { now: model.now })
  expect(await reserve(rig.redis, purchase)).toMatchObject(met)
  const unfrozen = await unfreeze(
    rig.redis,
    { ...sale, stock: model.total, lastChange },
    model.stockRevision,
    nothingHeldBack,
  )
  model.stockRevision += 1
  const counters = { total: model.total, booked: booked(model), stockRevision: model.stockRevision }
  expect(unfrozen).toEqual({ kind: 'unfrozen', ...counters })
}

async function play({ stock, limitPerShopper, maxPerOrder, tries, steps }: Life) {
  const limits = { limitPerShopper, maxPerOrder: Math.min(maxPerOrder, limitPerShopper) }
  let sale = aSale({ stock, endsAt: 1_000_000, throttle: throttleOf(tries), ...limits })
  const model: Model = {
    total: stock,
    stockRevision: 0,
    orders: new Map(),
    outbox: new Set(),
    tries: new Map(),
    now: 100_000,
  }
  await warmStock(rig.redis, sale)
  let change = 0
  for (const action of steps) {
    if (action.do === 'reserve') {
      model.now += action.afterMs
      const changes = { quantity: action.quantity, now: model.now }
      const token = action.oldToken ? { startToken: tokenOf(0) } : {}
      const purchase = aPurchase(sale, action.shopper, action.order, { ...changes, ...token })
      for (let turn = 0; turn < (action.twice ? 2 : 1); turn += 1) {
        const answer = expected(model, sale, action)
        expect(await reserve(rig.redis, purchase)).toMatchObject(answer)
      }
    } else if (action.do === 'flip') {
      const epoch = action.flag === 'on' && sale.flag === 'off' ? sale.epoch + 1 : sale.epoch
      const next = {
        ...sale,
        flag: action.flag,
        epoch,
        startToken: tokenOf(epoch),
        version: sale.version + 1,
        throttle: throttleOf(action.tries),
      }
      await flip(rig.redis, next)
      if (action.late) await flip(rig.redis, sale)
      sale = next
    } else if (action.do === 'release') {
      await playRelease(sale, model, action)
    } else if (action.do === 'restore') {
      await playRestore(sale, model, action)
    } else if (action.do === 'rebuild') {
      await playRebuild(sale, model, action, change)
    } else if (action.do === 'warm') {
      expect(await warmStock(rig.redis, sale)).toEqual({ total: model.total, booked: booked(model) })
    } else {
      change += 1
      const numbered = { number: change, delta: action.delta }
      const fits = model.total + action.delta >= booked(model)
      if (fits) model.total += action.delta
      if (fits && action.delta > 0) model.stockRevision += 1
      const made = await addStock(rig.redis, sale.saleId, numbered)
      expect(made).toMatchObject({ kind: fits ? 'changed' : 'below-booked', total: model.total })
      if (action.again && fits) {
        const repeated = await addStock(rig.redis, sale.saleId, numbered)
        expect(repeated).toMatchObject({ kind: 'repeat', total: model.total, stockRevision: model.stockRevision })
      }
    }
  }
  return { sale, model }
}

describe('any sequence of steps of a sale', () => {
  it('sells no unit twice, loses none, keeps the limits of each shopper, and matches the model (I1, I3, I4, I5, O9, G7, P10, R2, S8)', async () => {
    await fc.assert(
      fc.asyncProperty(life, async (random) => {
        const { sale, model } = await play(random)
        const books = await readCounts(rig.redis, sale.saleId)
        const held = sum(books?.holds.map(({ quantity }) => quantity) ?? [])
        expect(books).toMatchObject({ total: model.total, booked: booked(model), outbox: model.outbox.size })
        const standing = [...model.orders.values()].filter(({ quantity }) => quantity > 0)
        expect(books?.holds).toHaveLength(standing.length)
        expect(held).toBe(books?.booked)
        expect(held).toBeLessThanOrEqual(model.total)
        for (let shopper = 1; shopper <= shoppers; shopper += 1) {
          const orders = await ordersOfShopper(rig.redis, sale.saleId, shopperIdOf(shopper))
          const units = sum(orders.map(({ quantity }) => quantity))
          expect(units).toBe(boughtBy(model, shopper))
          expect(units).toBeLessThanOrEqual(sale.limitPerShopper)
        }
      }),
      { numRuns: 100, ...(process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {}) },
    )
  })
})
