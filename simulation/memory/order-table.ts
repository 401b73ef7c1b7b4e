/**
 * The table's orders in memory: caps, buyers' totals, orders, releases, refunds and counted events.
 * Every call does all of its work at once when it is called, or none, so the caller controls the
 * order of conflicting calls.
 */
import { firstCapPart, unitsPerCapPart } from '../../core/cap-part.ts'
import type { CouponCode } from '../../core/coupon.ts'
import { type OrderId, orderIdLetters, type SaleId, type ShopperId } from '../../core/ids.ts'
import { type FinalOrder, holdsUnits, isRevenue, type Order } from '../../core/order.ts'
import { acceptedMoney } from '../../core/order-life.ts'
import { type RefundProgress, refundProgress } from '../../core/order-refunds.ts'
import { redeemedCount } from '../../core/redemption.ts'
import { type Basket, sumOfUnits, type VariantUnits } from '../../core/variants.ts'
import type { SaleRows } from '../../functions/control/tables.ts'
import type { CapParts } from '../../functions/orders/cap-parts.ts'
import type { OrderBook, Written } from '../../functions/orders/commit.ts'
import type { OrderEntry } from '../../functions/orders/order-entry.ts'
import type {
  Authorisation,
  Authorisations,
  Changed,
  OrderChange,
  OrderLedger,
  PaidOrders,
  ProviderEvent,
  Redrives,
  Refund,
  RefundStep,
  Refunds,
  Releases,
  SaleOrders,
} from '../../functions/orders/order-ledger.ts'
import type { Orders } from '../../functions/orders/read-orders.ts'
import type { CouponOrders } from '../../functions/orders/redeem.ts'
import { type CreditCondition, creditConditions, type MemoryClaims, memoryClaims } from './claim-ledger.ts'
import { outage, type Switchable } from './outage.ts'
import { type UnitCounters, unitCounters } from './unit-counters.ts'

type Caps = {
  /** `budget` is the money of a sale of red packets, `variants` are the units of each variant. */
  openCap: (saleId: SaleId, stock: number, budget?: number, variants?: VariantUnits) => Promise<void>
  /**
   * A change of a limited stock, and of its variants by `units`. False when fewer units are left than
   * are taken away.
   */
  addToCap: (saleId: SaleId, delta: number, units?: VariantUnits) => Promise<boolean>
  sold: (saleId: SaleId) => Promise<number>
  /** Closes the budget of red packets, unless more was credited than `seen`. */
  closeBudget: (saleId: SaleId, seen: number, closedAt: number) => Promise<boolean>
  /** Units that the shopper's orders hold of a sale. */
  bought: (saleId: SaleId, shopperId: ShopperId) => number
}

export type MemoryTable = OrderBook &
  OrderLedger &
  SaleOrders &
  Caps &
  Switchable & {
    releases: Releases
    refunds: Refunds
    authorisations: Authorisations
    redrives: Redrives
    paidOrders: PaidOrders
    rows: Pick<SaleRows, 'orders'>
    orderLists: Pick<Orders, 'page'>
    claims: MemoryClaims
    capParts: CapParts
    couponOrders: CouponOrders
    /** Makes the next `times` transactions conflict with another. */
    beBusy: (times: number) => void
    /** Transactions requested through `write`, including rejected ones. */
    writes: number
    /** Transactions requested through `change` and `reject`, including rejected ones. */
    changes: number
  }

/** A page is a part of the list, as in a real index. */
const pageSize = 100

/** Orders follow one another as in the real table: by the last character of their id, which is their part. */
const placeOf = (orderId: OrderId) => `${orderIdLetters.indexOf(orderId.slice(-1)).toString(32)} ${orderId}`

export function memoryTable(): MemoryTable {
  return memoryTableWith({})
}

/** Everything the table holds. `pass` throws while it is unavailable. */
type State = {
  orders: Map<OrderId, Order>
  couponOrders: Map<CouponCode, OrderId>
  units: UnitCounters
  releases: Map<SaleId, Map<OrderId, FinalOrder>>
  refunds: Map<string, DueRefund>
  authorisations: Map<string, { authorisation: Authorisation; isDue: boolean }>
  digests: Map<string, string>
  pass: () => void
}

type DueRefund = { refund: Refund; left: number; isStopped?: boolean }

/**
 * `conditions`: credits claims under fewer conditions than it should. `unitsPerPart`: has caps of
 * more parts than the real table.
 */
export function memoryTableWith({
  conditions = creditConditions,
  unitsPerPart = unitsPerCapPart,
}: {
  conditions?: ReadonlySet<CreditCondition>
  unitsPerPart?: number
}): MemoryTable {
  const light = outage('DynamoDB')
  const units = unitCounters(unitsPerPart)
  const state: State = {
    orders: new Map(),
    couponOrders: new Map(),
    units,
    releases: new Map(),
    refunds: new Map(),
    authorisations: new Map(),
    digests: new Map(),
    pass: light.pass,
  }
  const { orders, couponOrders } = state
  let busy = 0

  const meetsAnother = () => {
    if (busy === 0) return false
    busy -= 1
    return true
  }

  const table: MemoryTable = {
    ...light,
    ...orderReads(state),
    writes: 0,
    changes: 0,
    beBusy: (times) => {
      busy = times
    },
    claims: memoryClaims({ units, pass: light.pass, meetsAnother }, conditions),
    ...capsIn(units),

    async write(chunk) {
      table.writes += 1
      try {
        light.pass()
      } catch (cause) {
        return { kind: 'unavailable', cause }
      }
      for (const { order } of chunk) {
        for (const code of order.coupons ?? []) couponOrders.set(code, order.orderId)
      }
      if (meetsAnother()) return { kind: 'busy' }
      const result = refusalOf(state, chunk)
      if (result.kind !== 'written') return result
      for (const { order } of chunk) {
        orders.set(order.orderId, order)
        if (order.status === 'rejected') releaseDue(state, order)
        else units.take(order)
      }
      return result
    },
    async change(changes, event, refund) {
      table.changes += 1
      light.pass()
      return meetsAnother() ? { kind: 'busy' } : changeAll(state, changes, event, refund)
    },
    async reject(order) {
      table.changes += 1
      light.pass()
      // The real table waits before its retries.
      busy = 0
      if (orders.has(order.orderId)) return 'exists'
      orders.set(order.orderId, order)
      releaseDue(state, order)
      return 'rejected'
    },

    releases: releasesIn(state),
    refunds: refundsIn(state),
    authorisations: authorisationsIn(state),
    redrives: redrivesIn(state),
    capParts: capPartsIn(state, meetsAnother),
    couponOrders: {
      async orderOf(code) {
        light.pass()
        return couponOrders.get(code)
      },
    },
  }
  return table
}

function capsIn(units: UnitCounters): Caps {
  return {
    closeBudget: async (saleId, seen, closedAt) => units.close(saleId, seen, closedAt),
    openCap: async (saleId, stock, budget, variants) => units.open(saleId, stock, budget, variants),
    addToCap: async (saleId, delta, ofVariants) => units.add(saleId, delta, ofVariants),
    sold: async (saleId) => units.totals(saleId)?.sold ?? 0,
    bought: units.bought,
  }
}

/** The reads of orders, alone and by sale. */
function orderReads({
  orders,
  units,
  pass,
}: State): Pick<OrderLedger, 'find' | 'findMany'> &
  SaleOrders & { paidOrders: PaidOrders; rows: Pick<SaleRows, 'orders'>; orderLists: Pick<Orders, 'page'> } {
  const ofSale = (saleId: SaleId) => [...orders.values()].filter((order) => order.saleId === saleId)
  return {
    async find(orderId) {
      pass()
      return orders.get(orderId)
    },
    async findMany(orderIds) {
      pass()
      const found = new Map<OrderId, Order>()
      for (const orderId of orderIds) {
        const order = orders.get(orderId)
        if (order !== undefined) found.set(orderId, order)
      }
      return found
    },
    async totals(saleId) {
      pass()
      return units.totals(saleId)
    },
    async totalsAtOnce(saleId) {
      pass()
      return units.totals(saleId)
    },
    async *pages(saleId) {
      pass()
      const all = ofSale(saleId)
      for (let start = 0; start < all.length; start += pageSize) {
        pass()
        yield all
          .slice(start, start + pageSize)
          .map(({ orderId, shopperId, quantity, basket, status, reservedAt }) => ({
            orderId,
            shopperId,
            quantity,
            ...(basket && { basket }),
            status,
            reservedAt,
          }))
      }
    },
    paidOrders: {
      async of(saleId) {
        pass()
        const paid = ofSale(saleId).filter(isRevenue)
        const redeemed = ofSale(saleId).reduce((sum, order) => sum + redeemedCount(order), 0)
        return { orders: paid.length, amount: paid.reduce((sum, { amount }) => sum + amount, 0), redeemed }
      },
    },
    orderLists: {
      async page(shopperId, { limit, after }) {
        pass()
        const own = [...orders.values()]
          .filter((order) => order.shopperId === shopperId)
          .sort((a, b) => b.reservedAt - a.reservedAt)
        const start = own.findIndex(({ orderId }) => orderId === after?.orderId) + 1
        const page = own.slice(start, start + limit)
        const last = own.length > start + limit ? page.at(-1) : undefined
        return { orderIds: page.map(({ orderId }) => orderId), ...(last && { next: last }) }
      },
    },
    rows: {
      async *orders(saleId, after) {
        const all = ofSale(saleId).sort((a, b) => (placeOf(a.orderId) < placeOf(b.orderId) ? -1 : 1))
        const rest = all.filter(({ orderId }) => after === undefined || placeOf(orderId) > placeOf(after))
        for (let start = 0; start < rest.length; start += pageSize) {
          pass()
          yield rest.slice(start, start + pageSize)
        }
      },
    },
  }
}

function releasesIn({ releases, pass }: State): Releases {
  return {
    async due(saleId) {
      pass()
      return [...(releases.get(saleId)?.values() ?? [])]
    },
    async done(saleId, orderIds) {
      pass()
      for (const orderId of orderIds) releases.get(saleId)?.delete(orderId)
    },
  }
}

function refundsIn(state: State): Refunds {
  const { refunds, pass } = state
  const isDue = ({ left, isStopped }: DueRefund) => left > 0 && isStopped !== true
  const stillDue = ({ refund, left }: DueRefund): Refund => ({ ...refund, amount: left })
  return {
    async due() {
      pass()
      const due = [...refunds.values()].filter(isDue).map(stillDue)
      return due.sort((a, b) => a.requestedAt - b.requestedAt || (a.paymentId < b.paymentId ? -1 : 1))
    },
    async add(refund) {
      pass()
      return addRefund(state, refund)
    },
    async find(paymentId) {
      pass()
      const due = refunds.get(paymentId)
      return due !== undefined && isDue(due) ? stillDue(due) : undefined
    },
  }
}

function authorisationsIn(state: State): Authorisations {
  const { authorisations, pass } = state
  return {
    async due() {
      pass()
      const due = [...authorisations.values()].filter(({ isDue }) => isDue)
      return due
        .map(({ authorisation }) => authorisation)
        .sort((a, b) => a.requestedAt - b.requestedAt || (a.paymentId < b.paymentId ? -1 : 1))
    },
    async add(authorisation) {
      pass()
      addAuthorisation(state, authorisation)
    },
    async done(paymentId) {
      pass()
      const known = authorisations.get(paymentId)
      if (known === undefined) throw new Error(`${paymentId} was never authorised`)
      known.isDue = false
    },
  }
}

function redrivesIn({ units, pass }: State): Redrives {
  return {
    async note(saleId, now) {
      pass()
      units.noteRedrive(saleId, now)
    },
  }
}

function capPartsIn({ units, pass }: State, meetsAnother: () => boolean): CapParts {
  const answer = async <T extends { kind: string }>(work: () => T) => {
    try {
      pass()
    } catch (cause) {
      return { kind: 'unavailable', cause } as const
    }
    return work()
  }
  const parts = (saleId: SaleId) => ({ kind: 'parts', units: units.parts(saleId) }) as const
  const busy = { kind: 'busy' } as const
  return {
    look: (saleId) => answer(() => parts(saleId)),
    lookAtOnce: (saleId) => answer(() => (meetsAnother() ? busy : parts(saleId))),
    move: (saleId, moved) => answer(() => (meetsAnother() ? busy : { kind: units.move(saleId, moved) })),
  }
}

function releaseDue({ releases }: State, { saleId, orderId, shopperId }: Order): void {
  releases.set(saleId, (releases.get(saleId) ?? new Map()).set(orderId, { orderId, shopperId }))
}

function addRefund({ refunds }: State, refund: Refund): Refund {
  const due = refunds.get(refund.paymentId) ?? { refund, left: refund.amount }
  refunds.set(refund.paymentId, due)
  return due.refund
}

function addAuthorisation({ authorisations }: State, authorisation: Authorisation): void {
  if (authorisations.has(authorisation.paymentId)) return
  authorisations.set(authorisation.paymentId, { authorisation, isDue: true })
}

function leaveDue({ refunds }: State, { paymentId, left, isStopped = false }: RefundProgress): void {
  const due = refunds.get(paymentId)
  if (due === undefined) throw new Error(`no refund of ${paymentId} was ever due`)
  due.left = left
  due.isStopped = isStopped
}

function refusalOf(
  { orders, units }: State,
  chunk: readonly OrderEntry[],
): Exclude<Written, { kind: 'unavailable' }> {
  const duplicates = new Set<OrderId>()
  const overLimit = new Set<OrderId>()
  const short = new Map<SaleId, number>()
  const wanted = new Map<string, { saleId: SaleId; part: number; units: number }>()
  const baskets = new Map<SaleId, Basket[]>()
  for (const { order, limit } of chunk) {
    const { orderId, saleId, shopperId, quantity, status, capPart: part = firstCapPart } = order
    if (orders.has(orderId)) duplicates.add(orderId)
    if (status === 'rejected') continue
    const key = `${saleId}#${part}`
    wanted.set(key, { saleId, part, units: (wanted.get(key)?.units ?? 0) + quantity })
    if (order.basket) baskets.set(saleId, [...(baskets.get(saleId) ?? []), order.basket])
    const total = units.bought(saleId, shopperId) + quantity
    if (!orders.has(orderId) && total > limit) overLimit.add(orderId)
  }
  for (const { saleId, part, units: want } of wanted.values()) {
    const left = units.leftIn(saleId, part)
    if (left !== undefined && left < want) short.set(saleId, left)
  }
  const variants = new Map<SaleId, VariantUnits>()
  for (const [saleId, some] of baskets) {
    const all = Object.entries(sumOfUnits(some)).map(([id, want]) => ({
      id,
      want,
      left: units.leftOf(saleId, id),
    }))
    if (!short.has(saleId) && all.every(({ want, left }) => left >= want)) continue
    variants.set(saleId, Object.fromEntries(all.map(({ id, left }) => [id, left])))
    short.set(saleId, units.leftIn(saleId, firstCapPart) ?? 0)
  }
  const isRefused = duplicates.size + overLimit.size + short.size > 0
  if (!isRefused) return { kind: 'written' }
  return { kind: 'refused', duplicates, overLimit, caps: short, ...(variants.size > 0 && { variants }) }
}

function changeAll(
  state: State,
  changes: readonly OrderChange[],
  event: ProviderEvent | undefined,
  refundStep: RefundStep | undefined,
): Changed {
  const { orders, units, refunds, digests } = state
  const counted = event && digests.get(event.eventId)
  if (counted !== undefined) return { kind: counted === event?.digest ? 'repeat' : 'reused' }
  const stale = changes
    .map(({ from }) => from)
    .filter(({ orderId, history }) => orders.get(orderId)?.history.length !== history.length)
  const isRefundStale = refundStep && refunds.get(refundStep.paymentId)?.left !== refundStep.seen
  if (stale.length > 0 || isRefundStale)
    return { kind: 'stale', orderIds: new Set(stale.map(({ orderId }) => orderId)) }
  const losing = changes
    .filter(({ from, to }) => holdsUnits(from.status) && !holdsUnits(to.status))
    .map(({ from }) => from)
  units.check(losing)
  if (event !== undefined) digests.set(event.eventId, event.digest)
  if (refundStep !== undefined) leaveDue(state, refundStep)
  for (const { from, to, refund } of changes) {
    orders.set(to.orderId, to)
    for (const progress of refundProgress(from, to)) leaveDue(state, progress)
    const requestedAt = to.history.at(-1)?.at ?? to.writtenAt
    if (refund !== undefined) addRefund(state, { ...refund, orderId: to.orderId, requestedAt })
    const money = acceptedMoney(from, to)
    if (money !== undefined) addAuthorisation(state, { ...money, orderId: to.orderId, requestedAt })
  }
  for (const order of losing) {
    units.giveBack(order)
    releaseDue(state, order)
  }
  return { kind: 'changed' }
}
