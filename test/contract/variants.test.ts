/** Sales with variants in every table: cap, buyers' totals and orders agree by variant (N1). */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { capPartCount } from '../../core/cap-part.ts'
import { holdsUnits, type Order } from '../../core/order.ts'
import type { Sale } from '../../core/sale.ts'
import { type Basket, basketUnits, maxVariants, sumOfUnits, type VariantUnits } from '../../core/variants.ts'
import type { ListedOrder } from '../../functions/orders/order-ledger.ts'
import { maxChanges } from '../../functions/orders/order-ledger.ts'
import { checkCap } from '../../functions/repair/check-cap.ts'
import { testTelemetry } from '../../simulation/memory/support.ts'
import { orderIdOf, shopperIdOf } from '../redis/support.ts'
import { openWriter } from '../world/consumers.ts'
import { type Asked, idOf, orderMessageOf } from '../world/messages.ts'
import {
  describeTables,
  entryOf,
  finalOf,
  openTableSale,
  orderOf,
  range,
  step,
  type TableRig,
} from './table-rig.ts'

const variantsOf = (stocks: VariantUnits) =>
  Object.entries(stocks).map(([id, stock]) => ({ id, name: id.toUpperCase(), stock }))

function saleOf(rig: TableRig, stocks: VariantUnits, limitPerShopper = 50): Promise<Sale> {
  const limits = { limitPerShopper, maxPerOrder: limitPerShopper }
  return openTableSale(rig, { stock: basketUnits(stocks), variants: variantsOf(stocks), ...limits })
}

const basketOrder = (sale: Sale, shopper: number, basket: Basket, order = 1, changes: Partial<Order> = {}) =>
  orderOf(sale, shopper, order, { quantity: basketUnits(basket), basket, ...changes })

const entry = (sale: Sale, shopper: number, basket: Basket, order = 1) =>
  entryOf(sale, basketOrder(sale, shopper, basket, order))

const written = { kind: 'written' } as const

describeTables('a sale with variants', (the, name) => {
  const totalsOf = ({ saleId }: Sale) => the().saleOrders.totals(saleId)

  it('has a cap of one part with the units of each variant (N1)', async () => {
    const sale = await saleOf(the(), { l: 0, m: 500, s: 400 })
    expect(await totalsOf(sale)).toEqual({
      ...{ remaining: 900, sold: 0, orders: 0 },
      variants: { l: { left: 0, sold: 0 }, m: { left: 500, sold: 0 }, s: { left: 400, sold: 0 } },
    })
    const parts = [900, ...range(capPartCount - 1).map(() => 0)]
    expect(await the().capParts.look(sale.saleId)).toEqual({ kind: 'parts', units: parts })
  })

  it('writes 49 baskets at once and reads each back unchanged (O3, N1)', async () => {
    const sale = await saleOf(the(), { m: 100, s: 100 })
    const chunk = range(49).map((shopper) => entry(sale, shopper, { m: 1 + (shopper % 3), s: 2 }))
    expect(await the().book.write(chunk)).toEqual(written)
    const orders = chunk.map(({ order }) => order)
    const found = await the().ledger.findMany(orders.map(({ orderId }) => orderId))
    expect(orders.map(({ orderId }) => found.get(orderId))).toEqual(orders)
    expect(await the().ledger.find(orderIdOf(sale.saleId, 7, 1))).toEqual(orders[6])
    const listed: ListedOrder[] = []
    for await (const page of the().saleOrders.pages(sale.saleId)) listed.push(...page)
    expect(listed.find(({ orderId }) => orderId === orders[6]?.orderId)).toMatchObject({
      basket: orders[6]?.basket,
    })
    const m = orders.reduce((sum, { basket }) => sum + (basket?.m ?? 0), 0)
    expect(await totalsOf(sale)).toEqual({
      ...{ remaining: 200 - m - 98, sold: m + 98, orders: 49 },
      variants: { m: { left: 100 - m, sold: m }, s: { left: 2, sold: 98 } },
    })
  })

  it('writes an order of as many variants as one may have (N1)', async () => {
    const ids = range(maxVariants).map((at) => `v${at}`)
    const sale = await saleOf(the(), Object.fromEntries(ids.map((id) => [id, 3])))
    const chunk = range(24).map((at) => {
      const own = range(8).map((line) => ids[(at + line) % ids.length] ?? '')
      return entry(sale, at, Object.fromEntries(own.map((id) => [id, 1])))
    })
    expect((await the().book.write(chunk)).kind).toBe('refused')
    expect(await the().book.write(chunk.slice(0, 3))).toEqual(written)
    expect(await totalsOf(sale)).toMatchObject({ remaining: 48, sold: 24 })
  })

  it('names what is left of each variant that is wanted, and writes nothing (I1, N1)', async () => {
    const sale = await saleOf(the(), { l: 9, m: 2, s: 5 })
    await the().book.write([entry(sale, 1, { s: 2 })])
    const refused = await the().book.write([entry(sale, 2, { m: 1, s: 1 }), entry(sale, 3, { m: 2 })])
    expect(refused).toEqual({
      ...{ kind: 'refused', duplicates: new Set(), overLimit: new Set() },
      caps: new Map([[sale.saleId, 14]]),
      variants: new Map([[sale.saleId, { m: 2, s: 3 }]]),
    })
    expect(await totalsOf(sale)).toMatchObject({ remaining: 14, sold: 2, orders: 1 })
  })

  it('sells no unit of a variant that the sale does not have (I1, N1)', async () => {
    const sale = await saleOf(the(), { m: 2, s: 5 })
    expect(await the().book.write([entry(sale, 1, { xl: 1 })])).toMatchObject({
      variants: new Map([[sale.saleId, { xl: 0 }]]),
    })
  })

  it('names the duplicates beside a variant without units (O6, N1)', async () => {
    const sale = await saleOf(the(), { m: 1, s: 5 })
    await the().book.write([entry(sale, 1, { m: 1 })])
    expect(await the().book.write([entry(sale, 1, { m: 1 }), entry(sale, 2, { s: 1 })])).toMatchObject({
      duplicates: new Set([orderIdOf(sale.saleId, 1, 1)]),
    })
  })

  it('counts the units of all variants for one limit (I3, N1)', async () => {
    const sale = await saleOf(the(), { m: 9, s: 9 }, 3)
    await the().book.write([entry(sale, 1, { m: 2 })])
    expect(await the().book.write([entry(sale, 1, { s: 2 }, 2)])).toMatchObject({
      overLimit: new Set([orderIdOf(sale.saleId, 1, 2)]),
    })
    expect(await the().book.write([entry(sale, 1, { s: 1 }, 2)])).toEqual(written)
    expect(await the().bought(sale.saleId, shopperIdOf(1))).toBe(3)
  })

  it('returns units to their variant, and keeps those that were shipped (I4, O9, N1)', async () => {
    const rig = the()
    const sale = await saleOf(rig, { m: 5, s: 5 })
    const [first, second] = [basketOrder(sale, 1, { m: 2, s: 1 }), basketOrder(sale, 2, { s: 3 })]
    await rig.book.write([entryOf(sale, first), entryOf(sale, second)])
    const paid = step(second, 'paid')
    const shipped = step(paid.to, 'shipped', { shipment: { carrier: 'DHL' } })
    expect(await rig.ledger.change([step(first, 'cancelled', { reason: 'unpaid' })])).toEqual({
      kind: 'changed',
    })
    for (const change of [paid, shipped, step(shipped.to, 'shipped')]) {
      expect(await rig.ledger.change([change])).toEqual({ kind: 'changed' })
    }
    expect(await totalsOf(sale)).toEqual({
      ...{ remaining: 7, sold: 3, orders: 1 },
      variants: { m: { left: 5, sold: 0 }, s: { left: 2, sold: 3 } },
    })
    expect(await rig.bought(sale.saleId, first.shopperId)).toBe(0)
    expect(await rig.releases.due(sale.saleId)).toEqual([finalOf(first)])
    expect(await rig.ledger.find(second.orderId)).toMatchObject({ basket: { s: 3 }, status: 'shipped' })
  })

  it('returns the units of many orders with one update of the cap (N1)', async () => {
    const sale = await saleOf(the(), { m: 50, s: 50 })
    const orders = range(maxChanges).map((shopper) =>
      basketOrder(sale, shopper, { m: 1, s: 1 + (shopper % 2) }),
    )
    await the().book.write(orders.map((order) => entryOf(sale, order)))
    expect(await the().ledger.change(orders.map((order) => step(order, 'cancelled')))).toEqual({
      kind: 'changed',
    })
    expect(await totalsOf(sale)).toMatchObject({
      ...{ remaining: 100, sold: 0, orders: 0 },
      variants: { m: { left: 50, sold: 0 }, s: { left: 50, sold: 0 } },
    })
  })

  it('takes back no units that the variant has not sold, even if another has (I1, I4, N1)', async () => {
    const sale = await saleOf(the(), { m: 5, s: 5 })
    const order = basketOrder(sale, 1, { m: 2 })
    await the().book.write([entryOf(sale, order)])
    const other = step({ ...order, basket: { s: 2 } }, 'cancelled')
    await expect(the().ledger.change([other])).rejects.toThrow('less than the orders given back')
    expect(await totalsOf(sale)).toMatchObject({ sold: 2, variants: { m: { left: 3, sold: 2 } } })
  })

  it('adds and removes units of a variant, at most those that are left of it (N1)', async () => {
    const rig = the()
    const sale = await saleOf(rig, { m: 5, s: 5 })
    await rig.book.write([entry(sale, 1, { s: 3 })])
    expect(await rig.addToCap(sale.saleId, 4, { m: 4 })).toBe(true)
    expect(await rig.addToCap(sale.saleId, -3, { s: -3 })).toBe(false)
    expect(await rig.addToCap(sale.saleId, -2, { s: -2 })).toBe(true)
    expect(await rig.addToCap(sale.saleId, 7, { m: 0, s: 7 })).toBe(true)
    expect(await totalsOf(sale)).toEqual({
      ...{ remaining: 16, sold: 3, orders: 1 },
      variants: { m: { left: 9, sold: 0 }, s: { left: 7, sold: 3 } },
    })
  })

  it('writes orders of sales with and without variants in one transaction (I1, N1)', async () => {
    const rig = the()
    const [sale, plain] = [await saleOf(rig, { m: 2, s: 2 }), await openTableSale(rig, { stock: 300 })]
    const others = range(30).map((shopper) => entryOf(plain, orderOf(plain, shopper)))
    const refused = await rig.book.write([...others, entry(sale, 1, { m: 3 })])
    expect(refused).toMatchObject({ kind: 'refused', caps: new Map([[sale.saleId, 4]]) })
    expect(await rig.book.write([...others, entry(sale, 1, { m: 2 })])).toEqual(written)
    expect(await totalsOf(plain)).toEqual({ remaining: 270, sold: 30, orders: 30 })
    expect(await totalsOf(sale)).toMatchObject({ remaining: 2, variants: { m: { left: 0, sold: 2 } } })
  })

  it('sells exactly the units of each variant to parallel writers (I1, I2, I3, I5, N1)', async () => {
    const sale = await saleOf(the(), { l: 10, m: 30, s: 20 }, 3)
    const { ports, telemetry, write } = await openWriter([sale])
    ports.book = the().book
    const asked = range(60).map((shopper): Asked => {
      const basket: Basket = shopper % 3 === 0 ? { l: 1, m: 1 } : shopper % 3 === 1 ? { m: 1 } : { s: 1 }
      return { sale, shopper, basket }
    })
    const batch = (from: number) => asked.slice(from, from + 30).map((one) => orderMessageOf(one))
    const failed = await Promise.all([0, 15, 30, 0].map((from) => write(batch(from))))
    expect(failed.flat()).toEqual([])
    const orders = await Promise.all(asked.map((one) => the().ledger.find(idOf(one))))
    expect(orders.every((order) => order !== undefined)).toBe(true)
    expect(orders.filter((order) => order?.reason === 'over-cap')).toHaveLength(10)
    expect(telemetry.counted('OrdersWritten')).toBe(50)
    expect(await totalsOf(sale)).toEqual({
      ...{ remaining: 0, sold: 60, orders: 50 },
      variants: { l: { left: 0, sold: 10 }, m: { left: 0, sold: 30 }, s: { left: 0, sold: 20 } },
    })
  })

  it('has a cap, totals of buyers and orders that agree by variant after any life (I1, I3, I4, I5, N1)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { minLength: 8, maxLength: 24, size: 'max' }), async (events) => {
        const sale = await saleOf(the(), startStocks, 6)
        const life = lifeOf(the(), sale)
        for (const event of events) await life.play(event)
        await life.compare()
      }),
      { numRuns: name === 'memory' ? 150 : 12 },
    )
  }, 60_000)
})

const startStocks = { l: 2, m: 6, s: 9 }

const anyBasket = fc
  .dictionary(fc.constantFrom('l', 'm', 's'), fc.integer({ min: 1, max: 3 }), { minKeys: 1, maxKeys: 2 })
  .map((basket): Basket => ({ ...basket }))
const anyOrder = fc.record({
  shopper: fc.integer({ min: 1, max: 4 }),
  order: fc.integer({ min: 1, max: 3 }),
  basket: anyBasket,
})
const anyEvent = fc.oneof(
  { weight: 4, arbitrary: fc.array(anyOrder, { minLength: 1, maxLength: 5 }).map((orders) => ({ orders })) },
  {
    weight: 3,
    arbitrary: fc.record({
      at: fc.nat(20),
      to: fc.constantFrom('cancelled', 'paid', 'refund-due', 'shipped'),
    }),
  },
  fc.record({ variant: fc.constantFrom('l', 'm', 's'), delta: fc.integer({ min: -5, max: 5 }) }),
)
type LifeEvent = typeof anyEvent extends fc.Arbitrary<infer E> ? E : never

/** Plays events on the table of `rig`, and compares its counters with its orders. */
function lifeOf(rig: TableRig, sale: Sale) {
  const known = new Map<string, Asked>()
  let stocks: VariantUnits = startStocks

  const ordersOf = async () => {
    const found = await Promise.all([...known.values()].map((one) => rig.ledger.find(idOf(one))))
    return found.filter((order) => order !== undefined)
  }

  const buy = async (orders: readonly { shopper: number; order: number; basket: Basket }[]) => {
    const { ports, write } = await openWriter([sale])
    ports.book = rig.newWriter()
    // An order id always has the same basket, as in Redis.
    const asked = orders.map((one) => known.get(idOf({ sale, ...one })) ?? { sale, ...one })
    for (const one of asked) known.set(idOf(one), one)
    expect(await write(asked.map((one, at) => orderMessageOf(one, `#${at}`)))).toEqual([])
  }

  const move = async (at: number, to: Order['status']) => {
    const orders = await ordersOf()
    const order = orders[at % Math.max(1, orders.length)]
    if (order === undefined || !holdsUnits(order.status)) return
    // A second step from the same revision is stale, however often it is tried.
    const change = step(order, to, to === 'shipped' ? { shipment: { carrier: 'DHL' } } : {})
    expect(await rig.ledger.change([change])).toEqual({ kind: 'changed' })
    expect(await rig.ledger.change([change])).toMatchObject({ kind: 'stale' })
  }

  return {
    async play(event: LifeEvent) {
      if ('orders' in event) return buy(event.orders)
      if ('to' in event) return move(event.at, event.to)
      const { variant, delta } = event
      if (delta === 0) return
      const added = await rig.addToCap(sale.saleId, delta, { [variant]: delta })
      if (added === true) stocks = sumOfUnits([stocks, { [variant]: delta }])
    },

    async compare() {
      const orders = await ordersOf()
      expect(orders).toHaveLength(known.size)
      const standing = orders.filter(({ status }) => holdsUnits(status))
      const sold = sumOfUnits(standing.map(({ basket = {} }) => basket))
      const totals = await rig.saleOrders.totals(sale.saleId)
      const counters = Object.entries(stocks).map(([id, stock]) => {
        return [id, { left: stock - (sold[id] ?? 0), sold: sold[id] ?? 0 }] as const
      })
      expect(totals).toEqual({
        remaining: basketUnits(stocks) - basketUnits(sold),
        ...{ sold: basketUnits(sold), orders: standing.length },
        variants: Object.fromEntries(counters),
      })
      for (const shopper of range(4)) {
        const own = standing.filter(({ shopperId }) => shopperId === shopperIdOf(shopper))
        const bought = own.reduce((sum, { quantity }) => sum + quantity, 0)
        expect(await rig.bought(sale.saleId, shopperIdOf(shopper))).toBe(bought)
        expect(bought).toBeLessThanOrEqual(sale.limitPerShopper)
      }
      const lost = orders.filter(({ status }) => !holdsUnits(status)).map(({ orderId }) => orderId)
      const due = (await rig.releases.due(sale.saleId)).map(({ orderId }) => orderId)
      expect(due.toSorted()).toEqual(lost.toSorted())
      const telemetry = testTelemetry()
      const now = { ...sale, stock: basketUnits(stocks), variants: variantsOf(stocks) }
      const sales = { find: async () => ({ sale: now, revision: 1, finishedStockChanges: [] }) }
      await checkCap({ ...telemetry, saleOrders: rig.saleOrders, sales: { ...noSales, ...sales } }, now)
      expect(telemetry.counted('CapMismatch')).toBe(0)
    },
  }
}

const noSales = {
  list: async () => [],
  findDeleted: async () => undefined,
  save: async () => 'saved' as const,
}
