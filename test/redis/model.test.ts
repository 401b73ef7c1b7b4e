/**
 * Random lives of a sale, played against Redis and against a model small enough to be right by reading it. The
 * seed of a failing run is printed with the failure, and `FC_SEED` plays it again.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Flag } from '../../core/phase.ts'
import type { Sale } from '../../core/sale.ts'
import { addStock } from '../../redis/add-stock.ts'
import { readBooks } from '../../redis/books.ts'
import { flip } from '../../redis/flip.ts'
import { reserve } from '../../redis/reserve.ts'
import { ordersOfShopper } from '../../redis/stock.ts'
import { warm } from '../../redis/warm.ts'
import { aPurchase, aSale, type RedisRig, shopperIdOf, startRedisRig, tokenOf } from './support.ts'

let rig: RedisRig
beforeAll(async () => {
  rig = await startRedisRig()
})
afterAll(() => rig.stop())

type Step =
  | { do: 'reserve'; shopper: number; order: number; quantity: number; oldToken: boolean; twice: boolean }
  | { do: 'flip'; flag: Flag; late: boolean }
  | { do: 'add'; delta: number; again: boolean }
  | { do: 'warm' }

const shoppers = 4
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      shopper: fc.integer({ min: 1, max: shoppers }),
      order: fc.integer({ min: 1, max: 3 }),
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
)

type Life = { stock: number; limitPerShopper: number; maxPerOrder: number; steps: Step[] }

const life: fc.Arbitrary<Life> = fc.record({
  stock: fc.integer({ min: 0, max: 12 }),
  limitPerShopper: fc.integer({ min: 1, max: 6 }),
  maxPerOrder: fc.integer({ min: 1, max: 6 }),
  steps: fc.array(step, { minLength: 1, maxLength: 30 }),
})

type Model = { total: number; restocks: number; orders: Map<string, { shopper: number; quantity: number }> }

const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, n) => all + n, 0)
const booked = ({ orders }: Model) => sum([...orders.values()].map(({ quantity }) => quantity))
const boughtBy = ({ orders }: Model, shopper: number) =>
  sum([...orders.values()].filter((order) => order.shopper === shopper).map(({ quantity }) => quantity))

/** What a purchase must be answered, and the model after it. */
function expected(model: Model, sale: Sale, purchase: Extract<Step, { do: 'reserve' }>) {
  const key = `${purchase.shopper}/${purchase.order}`
  const left = model.total - booked(model)
  const known = model.orders.get(key)
  if (known) return { kind: 'repeat', quantity: known.quantity, remaining: left }
  if (sale.flag === 'paused') return { kind: 'paused' }
  if (sale.flag === 'off') return { kind: 'not-started' }
  if (purchase.oldToken) return { kind: 'stale-page' }
  if (purchase.quantity < 1 || purchase.quantity > sale.maxPerOrder) return { kind: 'invalid-request' }
  if (boughtBy(model, purchase.shopper) + purchase.quantity > sale.limitPerShopper)
    return { kind: 'limit-reached' }
  if (purchase.quantity > left) return { kind: 'sold-out', remaining: left, restocks: model.restocks }
  model.orders.set(key, { shopper: purchase.shopper, quantity: purchase.quantity })
  return { kind: 'reserved', remaining: left - purchase.quantity, restocks: model.restocks }
}

async function play({ stock, limitPerShopper, maxPerOrder, steps }: Life) {
  const limits = { limitPerShopper, maxPerOrder: Math.min(maxPerOrder, limitPerShopper) }
  let sale = aSale({ stock, ...limits })
  const model: Model = { total: stock, restocks: 0, orders: new Map() }
  await warm(rig.redis, sale)
  let change = 0
  for (const action of steps) {
    if (action.do === 'reserve') {
      const token = action.oldToken ? { startToken: tokenOf(0) } : {}
      const purchase = aPurchase(sale, action.shopper, action.order, { quantity: action.quantity, ...token })
      const first = await reserve(rig.redis, purchase)
      expect(first).toMatchObject(expected(model, sale, action))
      if (action.twice) {
        const again = { orderId: purchase.orderId, quantity: action.quantity }
        const second =
          first.kind === 'reserved' ? { kind: 'repeat', ...again, remaining: first.remaining } : first
        expect(await reserve(rig.redis, purchase)).toEqual(second)
      }
    } else if (action.do === 'flip') {
      const epoch = action.flag === 'on' && sale.flag === 'off' ? sale.epoch + 1 : sale.epoch
      const next = {
        ...sale,
        flag: action.flag,
        epoch,
        startToken: tokenOf(epoch),
        version: sale.version + 1,
      }
      await flip(rig.redis, sale.saleId, next)
      if (action.late) await flip(rig.redis, sale.saleId, sale)
      sale = next
    } else if (action.do === 'warm') {
      expect(await warm(rig.redis, sale)).toEqual({ total: model.total, booked: booked(model) })
    } else {
      change += 1
      const numbered = { number: change, delta: action.delta }
      const fits = model.total + action.delta >= booked(model)
      if (fits) model.total += action.delta
      if (fits && action.delta > 0) model.restocks += 1
      const made = await addStock(rig.redis, sale.saleId, numbered)
      expect(made).toMatchObject({ kind: fits ? 'changed' : 'below-booked', total: model.total })
      if (action.again && fits) {
        const repeated = await addStock(rig.redis, sale.saleId, numbered)
        expect(repeated).toMatchObject({ kind: 'repeat', total: model.total, restocks: model.restocks })
      }
    }
  }
  return { sale, model }
}

describe('whatever happens to a sale', () => {
  it('no unit is sold twice, no shopper gets too many, and the books agree (I1, I3, I4, I5)', async () => {
    await fc.assert(
      fc.asyncProperty(life, async (random) => {
        const { sale, model } = await play(random)
        const books = await readBooks(rig.redis, sale.saleId)
        const held = sum(books?.holds.map(({ quantity }) => quantity) ?? [])
        expect(books).toMatchObject({ total: model.total, booked: booked(model), outbox: model.orders.size })
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
  }, 60_000)
})
