/**
 * The table's orders in memory: caps, buyers' totals, orders, releases, refunds and counted events.
 * Every call does all of its work at once when it is called, or none, so the caller controls the
 * order of conflicting calls.
 */
import type { OrderId, SaleId, ShopperId } from '../../core/ids.ts'
import { type FinalOrder, holdsUnits, type Order } from '../../core/order.ts'
import { refundProgress } from '../../core/order-refunds.ts'
import type { CouponOrder, CouponOrders } from '../../functions/control/coupons-csv.ts'
import type { OrderBook, Written } from '../../functions/orders/commit.ts'
import type { Entry } from '../../functions/orders/order-entry.ts'
import type {
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
import { type CreditCondition, creditConditions, type MemoryClaims, memoryClaims } from './claim-ledger.ts'
import { outage, type Switchable } from './outage.ts'
import { unitCounters } from './unit-counters.ts'

export type MemoryTable = OrderBook &
  OrderLedger &
  SaleOrders &
  Switchable & {
    releases: Releases
    refunds: Refunds
    redrives: Redrives
    paidOrders: PaidOrders
    couponOrders: CouponOrders
    /** `budget` is the money of a sale of red packets. */
    openCap: (saleId: SaleId, stock: number, budget?: number) => Promise<void>
    /** A restock of a sale with a limited stock. */
    addToCap: (saleId: SaleId, delta: number) => Promise<void>
    sold: (saleId: SaleId) => Promise<number>
    claims: MemoryClaims
    /** Closes the budget of red packets, unless more was credited than `seen`. */
    closeBooks: (saleId: SaleId, seen: number, closedAt: number) => Promise<boolean>
    /** Units that the shopper's orders hold of a sale. */
    bought: (saleId: SaleId, shopperId: ShopperId) => number
    /** Makes the next `times` transactions conflict with another. */
    beBusy: (times: number) => void
    /** Transactions requested through `write`, including rejected ones. */
    writes: number
    /** Transactions requested through `change` and `reject`, including rejected ones. */
    changes: number
  }

/** A page is a part of the list, as in a real index. */
const pageSize = 100

/** The characters an order id may end with. */
const parts = 'abcdefghijklmnopqrstuvwxyz234567'

export function memoryTable(): MemoryTable {
  return memoryTableWithConditions(creditConditions)
}

/** A table that credits claims under fewer conditions than it should. */
export function memoryTableWithConditions(conditions: ReadonlySet<CreditCondition>): MemoryTable {
  const orders = new Map<OrderId, Order>()
  const units = unitCounters()
  const releases = new Map<SaleId, Map<OrderId, FinalOrder>>()
  const refunds = new Map<string, { refund: Refund; left: number }>()
  const digests = new Map<string, string>()
  const light = outage('DynamoDB')
  let busy = 0

  const meetsAnother = () => {
    if (busy === 0) return false
    busy -= 1
    return true
  }

  const releaseDue = ({ saleId, orderId, shopperId }: Order) => {
    releases.set(saleId, (releases.get(saleId) ?? new Map()).set(orderId, { orderId, shopperId }))
  }

  const addRefund = (refund: Refund): Refund => {
    const kept = refunds.get(refund.paymentId) ?? { refund, left: refund.amount }
    refunds.set(refund.paymentId, kept)
    return kept.refund
  }

  const leaveDue = (paymentId: string, left: number) => {
    const kept = refunds.get(paymentId)
    if (kept === undefined) throw new Error(`no refund of ${paymentId} was ever due`)
    kept.left = left
  }

  const stillDue = ({ refund, left }: { refund: Refund; left: number }): Refund => ({
    ...refund,
    amount: left,
  })

  const refusalOf = (chunk: readonly Entry[]): Exclude<Written, { kind: 'unavailable' }> => {
    const duplicates = new Set<OrderId>()
    const overLimit = new Set<OrderId>()
    const short = new Map<SaleId, number>()
    const wanted = new Map<SaleId, number>()
    for (const { order, limit } of chunk) {
      const { orderId, saleId, shopperId, quantity, status } = order
      if (orders.has(orderId)) duplicates.add(orderId)
      if (status === 'rejected') continue
      wanted.set(saleId, (wanted.get(saleId) ?? 0) + quantity)
      const total = units.bought(saleId, shopperId) + quantity
      if (!orders.has(orderId) && total > limit) overLimit.add(orderId)
    }
    for (const [saleId, quantity] of wanted) {
      const { capped, remaining } = units.capOf(saleId)
      if (capped && remaining < quantity) short.set(saleId, remaining)
    }
    const isRefused = duplicates.size + overLimit.size + short.size > 0
    return isRefused ? { kind: 'refused', duplicates, overLimit, caps: short } : { kind: 'written' }
  }

  const changeAll = (
    changes: readonly OrderChange[],
    event: ProviderEvent | undefined,
    refundStep: RefundStep | undefined,
  ): Changed => {
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
    if (refundStep !== undefined) leaveDue(refundStep.paymentId, refundStep.left)
    for (const { from, to, refund } of changes) {
      orders.set(to.orderId, to)
      for (const { paymentId, left } of refundProgress(from, to)) leaveDue(paymentId, left)
      const requestedAt = to.history.at(-1)?.at ?? to.writtenAt
      if (refund !== undefined) addRefund({ ...refund, orderId: to.orderId, requestedAt })
    }
    for (const order of losing) {
      units.giveBack(order)
      releaseDue(order)
    }
    return { kind: 'changed' }
  }

  const table: MemoryTable = {
    ...light,
    writes: 0,
    changes: 0,
    beBusy: (times) => {
      busy = times
    },
    claims: memoryClaims({ units, pass: light.pass, meetsAnother }, conditions),
    closeBooks: async (saleId, seen, closedAt) => units.close(saleId, seen, closedAt),
    openCap: async (saleId, stock, budget) => units.open(saleId, stock, budget),
    addToCap: async (saleId, delta) => units.add(saleId, delta),
    sold: async (saleId) => units.totals(saleId)?.sold ?? 0,
    bought: units.bought,

    async write(chunk) {
      table.writes += 1
      try {
        light.pass()
      } catch (cause) {
        return { kind: 'unavailable', cause }
      }
      if (meetsAnother()) return { kind: 'busy' }
      const result = refusalOf(chunk)
      if (result.kind !== 'written') return result
      for (const { order } of chunk) {
        orders.set(order.orderId, order)
        if (order.status === 'rejected') releaseDue(order)
        else units.take(order)
      }
      return result
    },

    async find(orderId) {
      light.pass()
      return orders.get(orderId)
    },
    async findMany(orderIds) {
      light.pass()
      const found = new Map<OrderId, Order>()
      for (const orderId of orderIds) {
        const order = orders.get(orderId)
        if (order !== undefined) found.set(orderId, order)
      }
      return found
    },
    async change(changes, event, refund) {
      table.changes += 1
      light.pass()
      return meetsAnother() ? { kind: 'busy' } : changeAll(changes, event, refund)
    },
    async reject(order) {
      table.changes += 1
      light.pass()
      // The real table waits before its retries.
      busy = 0
      if (orders.has(order.orderId)) return 'exists'
      orders.set(order.orderId, order)
      releaseDue(order)
      return 'rejected'
    },

    releases: {
      async due(saleId) {
        light.pass()
        return [...(releases.get(saleId)?.values() ?? [])]
      },
      async done(saleId, orderIds) {
        light.pass()
        for (const orderId of orderIds) releases.get(saleId)?.delete(orderId)
      },
    },
    refunds: {
      async due() {
        light.pass()
        const due = [...refunds.values()].filter(({ left }) => left > 0).map(stillDue)
        return due.sort((a, b) => a.requestedAt - b.requestedAt || (a.paymentId < b.paymentId ? -1 : 1))
      },
      async add(refund) {
        light.pass()
        return addRefund(refund)
      },
      async find(paymentId) {
        light.pass()
        const kept = refunds.get(paymentId)
        return kept !== undefined && kept.left > 0 ? stillDue(kept) : undefined
      },
    },

    paidOrders: {
      async of(saleId) {
        light.pass()
        const paid = [...orders.values()].filter(
          (order) => order.saleId === saleId && order.status === 'paid',
        )
        return { orders: paid.length, amount: paid.reduce((sum, { amount }) => sum + amount, 0) }
      },
    },
    redrives: {
      async note(saleId, now) {
        light.pass()
        units.noteRedrive(saleId, now)
      },
    },
    couponOrders: {
      parts: parts.length,
      async *pages(saleId, part) {
        light.pass()
        const wanted = [...orders.values()].filter(
          (order) => order.saleId === saleId && (part === undefined || order.orderId.at(-1) === parts[part]),
        )
        const page = wanted.flatMap(({ orderId, shopperId, status, writtenAt, coupons }): CouponOrder[] =>
          coupons === undefined ? [] : [{ orderId, shopperId, status, writtenAt, coupons }],
        )
        if (page.length > 0) yield page
      },
    },

    async totals(saleId) {
      light.pass()
      return units.totals(saleId)
    },
    async *pages(saleId) {
      light.pass()
      const ofSale = [...orders.values()].filter((order) => order.saleId === saleId)
      for (let start = 0; start < ofSale.length; start += pageSize) {
        light.pass()
        yield ofSale
          .slice(start, start + pageSize)
          .map(({ orderId, shopperId, quantity, status, reservedAt }) => ({
            orderId,
            shopperId,
            quantity,
            status,
            reservedAt,
          }))
      }
    },
  }
  return table
}
