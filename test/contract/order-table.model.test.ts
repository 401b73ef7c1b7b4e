/**
 * Random lives of orders in every table, beside a model of a few lines: each call is answered as the model says, and at
 * the end the cap, the totals of buyers, the releases and the counts of paid orders follow from the orders alone. Three
 * sales share each life: a limited, an unlimited one, and one with variants.
 */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { OrderId, SaleId } from '../../core/ids.ts'
import { capPartCount } from '../../core/orders/cap-part.ts'
import { holdsUnits, isPaid, type Order } from '../../core/orders/order.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { allUnits, type VariantUnits } from '../../core/sale/variants.ts'
import { plusParts } from '../../core/stock/divided-units.ts'
import type { OrderChange } from '../../functions/table/orders/change-orders.ts'
import { readPaidOrders } from '../../functions/table/orders/paid-orders.ts'
import { deleteReleases, dueReleases } from '../../functions/table/orders/releases.ts'
import { type ListedOrder, saleOrderPages, saleTotals } from '../../functions/table/sale/sale-orders.ts'
import { findCapParts, moveCapUnits } from '../../functions/table/stock/cap-parts.ts'
import { shopperIdOf } from '../redis/support.ts'
import { inSample } from '../whole-plays.ts'
import { describeTables, entryOf, finalOf, openTableSale, orderOf, range, step, type TableRig } from './table-rig.ts'

const shoppers = 4
const variants = Object.entries({ l: 2, m: 4, s: 6 }).map(([id, stock]) => ({ id, name: id, stock }))

const saleAt = fc.nat(2)
const shopper = fc.integer({ min: 1, max: shoppers })
const order = fc.integer({ min: 1, max: 3 })
const units = fc.integer({ min: 1, max: 3 })
/** Applies to caps without variants. */
const part = fc.nat(2)
/** No sale has `xl`. */
const variant = fc.constantFrom('l', 'm', 's', 'xl')
const wish = fc.record({
  ...{ sale: saleAt, shopper, order, units, variant, part },
  status: fc.constantFrom<Order['status'][]>('awaiting-payment', 'awaiting-payment', 'fulfilled', 'rejected'),
})
const move = fc.record({
  at: fc.nat(20),
  to: fc.constantFrom<Order['status'][]>('paid', 'cancelled', 'shipped', 'refund-due', 'refunded'),
  isStale: fc.boolean(),
})
const providerEvent = fc.record({ id: fc.integer({ min: 1, max: 3 }), digest: fc.constantFrom('one', 'other') })
const buyerOf = ({ sale, shopper }: { sale: number; shopper: number }) => `${sale} ${shopper}`
const command = fc.oneof(
  // A buyer's total may be in a transaction once.
  { weight: 4, arbitrary: fc.record({ buy: fc.uniqueArray(wish, { minLength: 1, maxLength: 5, selector: buyerOf }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      moves: fc.uniqueArray(move, { maxLength: 3, selector: ({ at }) => at }),
      event: fc.option(providerEvent, { nil: undefined }),
    }),
  },
  fc.record({ reject: wish }),
  fc.record({ sale: saleAt, variant: fc.constantFrom('l', 'm', 's'), delta: fc.integer({ min: -5, max: 5 }) }),
  fc.record({ released: fc.nat(20) }),
  fc.record({ from: part, to: part, units }),
)
type Command = typeof command extends fc.Arbitrary<infer One> ? One : never

describeTables('a table of orders', (the, name) => {
  it('answers each call like its model, and its counters follow from its orders (I1, I2, I3, I4, I5, S4, O6, O8, O9, N1)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 6, maxLength: 20, size: 'max' }), async (commands) => {
        const life = await beginLife(the())
        for (const one of commands) await life.play(one)
        await life.compare()
      }),
      { numRuns: name === 'memory' ? inSample(50, 100) : inSample(6, 50) },
    )
  })
})

const sumOf = (several: readonly VariantUnits[]) => several.reduce((sum, one) => plusParts(sum, one), {})

async function beginLife(rig: TableRig) {
  // No order is over the limit by itself: the writer rejects those before.
  const limits = { limitPerShopper: 6, maxPerOrder: 6 }
  const sales = [
    await openTableSale(rig, { ...limits, stock: 8 }),
    await openTableSale(rig, { ...limits, stock: -1 }),
    await openTableSale(rig, { ...limits, stock: 12, variants }),
  ]
  const saleOf = (at: number) => sales[at] ?? fail()
  const orders = new Map<OrderId, Order>()
  const released = new Set<OrderId>()
  const digests = new Map<number, string>()
  const stocks = new Map<SaleId, VariantUnits>([
    [saleOf(0).saleId, { 'part 0': 8, 'part 1': 0, 'part 2': 0 }],
    [saleOf(2).saleId, { l: 2, m: 4, s: 6 }],
  ])

  /** A part of a cap counts its units as a variant does. */
  const unitsOf = ({ variant, quantity, capPart = 0 }: Order): VariantUnits => ({
    [variant ?? `part ${capPart}`]: quantity,
  })
  const ofSale = ({ saleId }: Pick<Sale, 'saleId'>) => [...orders.values()].filter((one) => one.saleId === saleId)
  const standingOf = (sale: Pick<Sale, 'saleId'>) => ofSale(sale).filter(({ status }) => holdsUnits(status))
  const soldOf = (sale: Pick<Sale, 'saleId'>) => sumOf(standingOf(sale).map(unitsOf))
  const leftOf = (sale: Pick<Sale, 'saleId'>, id: string) =>
    (stocks.get(sale.saleId)?.[id] ?? 0) - (soldOf(sale)[id] ?? 0)
  const remainingOf = ({ saleId }: Sale) => allUnits(stocks.get(saleId) ?? {}) - allUnits(soldOf({ saleId }))
  const boughtOf = (sale: Pick<Sale, 'saleId'>, shopperId: string) =>
    standingOf(sale).reduce((sum, one) => sum + (one.shopperId === shopperId ? one.quantity : 0), 0)

  const orderFor = ({
    sale: at,
    shopper,
    order,
    units,
    variant,
    part,
    status,
  }: Extract<Command, { reject: object }>['reject']) =>
    orderOf(saleOf(at), shopper, order, {
      status,
      quantity: units,
      ...(at === 2 ? { variant } : part > 0 && { capPart: part }),
    })

  /** Returns the expected result for a chunk. */
  function outcomeOf(chunk: readonly Order[]) {
    const idsOf = (some: readonly Order[]) => new Set(some.map(({ orderId }) => orderId))
    const isThere = ({ orderId }: Order) => orders.has(orderId)
    const taking = chunk.filter(({ status }) => status !== 'rejected')
    const duplicates = idsOf(chunk.filter(isThere))
    const overLimit = idsOf(
      taking.filter((one) => !isThere(one) && boughtOf(one, one.shopperId) + one.quantity > limits.limitPerShopper),
    )
    const short = sales.flatMap((sale) => {
      const wanted = sumOf(taking.filter(({ saleId }) => saleId === sale.saleId).map(unitsOf))
      const isShort = sale.stock !== -1 && Object.entries(wanted).some(([id, count]) => count > leftOf(sale, id))
      return isShort ? [{ sale, ids: Object.keys(wanted) }] : []
    })
    if (duplicates.size + overLimit.size + short.length === 0) return { kind: 'written' }
    const ofVariants = short.filter(({ sale }) => sale.variants !== undefined)
    const lefts = ofVariants.map(
      ({ sale, ids }) => [sale.saleId, Object.fromEntries(ids.map((id) => [`left.${id}`, leftOf(sale, id)]))] as const,
    )
    return {
      ...{ kind: 'refused', duplicates, overLimit, packetTaken: new Set(), counters: new Map(lefts) },
      caps: new Map(
        short.map(({ sale, ids: [part = ''] }) => [
          sale.saleId,
          sale.variants ? remainingOf(sale) : leftOf(sale, part),
        ]),
      ),
    }
  }

  async function buy(chunk: readonly Order[]) {
    const expected = outcomeOf(chunk)
    expect(await rig.plainBook.write(chunk.map((one) => entryOf(saleWith(one.saleId), one)))).toEqual(expected)
    if (expected.kind === 'written') for (const one of chunk) orders.set(one.orderId, one)
  }
  const saleWith = (id: SaleId) => sales.find(({ saleId }) => saleId === id) ?? fail()

  async function change({ moves, event }: Extract<Command, { moves: object }>) {
    const known = [...orders.values()].filter(({ status }) => status !== 'rejected')
    const stale = new Set<OrderId>()
    const steps = new Map<OrderId, OrderChange>()
    for (const { at, to, isStale } of moves) {
      const found = known[at % (known.length + 1)]
      const from = found ?? orderOf(saleOf(0), shoppers + 1)
      if (isStale || found === undefined) stale.add(from.orderId)
      else stale.delete(from.orderId)
      const seen = isStale ? { ...from, history: from.history.slice(1) } : from
      // Units that an order lost do not come back to it.
      steps.set(from.orderId, step(seen, holdsUnits(to) && !holdsUnits(from.status) ? 'refunded' : to))
    }
    const counted = event && digests.get(event.id)
    const expected =
      counted !== undefined
        ? { kind: counted === event?.digest ? 'repeat' : 'reused' }
        : stale.size > 0
          ? { kind: 'stale', orderIds: stale }
          : { kind: 'changed' }
    const { saleId } = saleOf(0)
    const sent = event && { eventId: `${saleId}#${event.id}`, digest: event.digest, receivedAt: 7_000 }
    expect(await rig.ledger.change([...steps.values()], sent)).toEqual(expected)
    if (expected.kind !== 'changed') return
    for (const { to } of steps.values()) orders.set(to.orderId, to)
    if (event !== undefined) digests.set(event.id, event.digest)
  }

  async function addUnits(sale: Sale, variant: string, delta: number) {
    if (sale.stock === -1 || delta === 0) return
    const id = sale.variants === undefined ? 'part 0' : variant
    // Other parts may provide missing units; test/core/orders/cap-part.test.ts has the rule for that.
    if (id === 'part 0' && leftOf(sale, id) + delta < 0 && remainingOf(sale) + delta >= 0) return
    const units = { [id]: delta }
    const isCovered = Object.entries(units).every(([id, count]) => leftOf(sale, id) + count >= 0)
    expect(await rig.addToCap(sale.saleId, delta, sale.variants && units)).toBe(isCovered)
    if (isCovered) stocks.set(sale.saleId, sumOf([stocks.get(sale.saleId) ?? {}, units]))
  }

  async function moveUnits({ from, to, units }: Extract<Command, { from: number }>) {
    const [sale, moved] = [saleOf(0), { [`part ${from}`]: -units, [`part ${to}`]: units }]
    if (from === to) return
    const expected = leftOf(sale, `part ${from}`) < units ? 'refused' : 'written'
    const steps = new Map([
      [from, -units],
      [to, units],
    ])
    expect(await moveCapUnits(rig.table, sale.saleId, steps)).toEqual({ kind: expected })
    if (expected === 'written') stocks.set(sale.saleId, sumOf([stocks.get(sale.saleId) ?? {}, moved]))
  }

  return {
    async play(one: Command): Promise<void> {
      // Orders of one sale name the same part.
      if ('buy' in one) return buy(one.buy.map((wish) => orderFor({ ...wish, part: one.buy[0]?.part ?? 0 })))
      if ('from' in one) return moveUnits(one)
      if ('moves' in one) return change(one)
      if ('variant' in one) return addUnits(saleOf(one.sale), one.variant, one.delta)
      if ('reject' in one) {
        const lost: Order = { ...orderFor(one.reject), status: 'rejected', reason: 'undeliverable' }
        expect(await rig.ledger.reject(lost)).toBe(orders.has(lost.orderId) ? 'exists' : 'rejected')
        if (!orders.has(lost.orderId)) orders.set(lost.orderId, lost)
        return
      }
      const all = [...orders.values()].filter(({ status }) => !holdsUnits(status))
      const done = all[one.released % Math.max(1, all.length)]
      if (done === undefined) return
      released.add(done.orderId)
      for (const _ of [1, 2]) await deleteReleases(rig.table, done.saleId, [done.orderId])
    },

    async compare(): Promise<void> {
      expect(new Map(await rig.ledger.findMany([...orders.keys()]))).toEqual(orders)
      const parts = range(capPartCount, 0).map((part) => leftOf(saleOf(0), `part ${part}`))
      expect(await findCapParts(rig.table, saleOf(0).saleId)).toEqual({ kind: 'parts', units: parts })
      for (const sale of sales) {
        const sold = soldOf(sale)
        const counters = Object.keys(stocks.get(sale.saleId) ?? {}).map(
          (id) => [id, { left: leftOf(sale, id), sold: sold[id] ?? 0 }] as const,
        )
        expect(await saleTotals(rig.table, sale.saleId)).toEqual({
          remaining: sale.stock === -1 ? -1 : remainingOf(sale),
          ...{ sold: allUnits(sold), orders: standingOf(sale).length },
          ...(sale.variants && { variants: Object.fromEntries(counters) }),
        })
        for (const shopperId of range(shoppers).map(shopperIdOf))
          expect(await rig.bought(sale.saleId, shopperId)).toBe(boughtOf(sale, shopperId))
        const due = ofSale(sale).filter(({ orderId, status }) => !holdsUnits(status) && !released.has(orderId))
        expect(new Set(await dueReleases(rig.table, sale.saleId))).toEqual(new Set(due.map(finalOf)))
        const paid = ofSale(sale).filter(isPaid)
        const amount = paid.reduce((sum, one) => sum + one.amount, 0)
        expect(await readPaidOrders(rig.table, sale.saleId)).toEqual({
          orders: paid.length,
          amount,
          ...{ disputed: 0, disputedAmount: 0, returned: 0, redeemed: 0 },
          refunded: ofSale(sale)
            .flatMap(({ refunds = [] }) => refunds)
            .reduce((sum, { returned }) => sum + returned, 0),
        })
        const listed: ListedOrder[] = []
        for await (const page of saleOrderPages(rig.table, sale.saleId)) listed.push(...page)
        const expected = ofSale(sale).map(({ orderId, shopperId, quantity, variant, status, reservedAt }) => {
          return { orderId, shopperId, quantity, ...(variant && { variant }), status, reservedAt }
        })
        expect(listed).toHaveLength(expected.length)
        expect(listed).toEqual(expect.arrayContaining(expected))
      }
    },
  }
}

function fail(): never {
  throw new Error('there is no such sale')
}
