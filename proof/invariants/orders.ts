/**
 * Checks that orders changed status only as allowed (O8), that every payment is accounted for, and that coupon codes
 * are right.
 */
import { counted } from '../../core/lib/text.ts'
import { readCoupon } from '../../core/orders/coupon.ts'
import { isPaid, isShipped } from '../../core/orders/order.ts'
import { transitions } from '../../core/orders/order-life.ts'
import { refundOf } from '../../core/orders/order-refunds.ts'
import { type InvariantFinding, type Must, openFindings } from './findings.ts'
import type { ObservedSale, PaymentAccount, SnapshotOrder } from './snapshot.ts'
import { ordersWithUnits } from './units.ts'

/** Events outside the table of transitions: the first record, and payments or refunds that do not change the status. */
const otherEvents = new Set(['written', 'rejected', 'other-money-received', 'money-returned', 'money-disputed'])

/**
 * Checks the history of each order (O8): each transition was allowed, no order was cancelled while its shopper still
 * had time to pay, and no shipped order lost its units.
 */
export function lifecycleFindings(orders: readonly SnapshotOrder[]): InvariantFinding[] {
  const { findings, must } = openFindings()
  for (const order of orders) if (order.history !== undefined) checkLifecycle(order, order.history, must)
  return findings
}

function checkLifecycle(order: SnapshotOrder, history: NonNullable<SnapshotOrder['history']>, must: Must): void {
  const { orderId, payBy, reason } = order
  const isAsShipped =
    isShipped(order) === history.some(isShipped) && isShipped(order) === (order.shipment !== undefined)
  must('O8', isAsShipped, `${orderId} is ${order.status}, and was shipped by ${order.shipment?.carrier}`)
  for (const [index, { at, what, status }] of history.entries()) {
    const before = history[index - 1]?.status
    const next = before === undefined || !isLifecycleEvent(what) ? status : transitions[what][before]
    const isKnown = before === undefined || isLifecycleEvent(what) || otherEvents.has(what)
    must('O8', next === status && isKnown, `${orderId} went from ${before} to ${status} by ${what}`)
    const isEarly = reason === 'unpaid' && status === 'cancelled' && payBy !== undefined && at < payBy
    must('O8', !isEarly, `${orderId} was cancelled as unpaid ${Number(payBy) - at} ms too early`)
  }
}

const isLifecycleEvent = (what: string): what is keyof typeof transitions => what in transitions

/** Checks that each payment belongs to a paid order or was refunded once, and that no authorisation is left open. */
export function moneyFindings(
  orders: readonly SnapshotOrder[],
  payments: readonly PaymentAccount[],
): InvariantFinding[] {
  const { findings, must } = openFindings()
  const paid = new Map(
    orders
      .filter(({ status, amount = 0 }) => isPaid({ status, amount }))
      .map((order) => [order.payment?.paymentId, order]),
  )
  for (const { paymentId, authorised, isReleased, received, refunded } of payments) {
    const isOpen = authorised > 0 && received > 0 === isReleased
    must('money', !isOpen, `${authorised} authorised for ${paymentId} must be captured or released`)
    const order = paid.get(paymentId)
    // A shipped order stays paid when it is refunded.
    const isOwed = order !== undefined && (refundOf(order, paymentId)?.amount ?? 0) > 0
    const should = order === undefined || isOwed ? received : 0
    must(
      'money',
      refunded === should,
      `${received} was charged ${paymentId}, ${refunded} was refunded and should be ${should}`,
    )
    if (order !== undefined)
      must('money', received === order.amount, `${order.orderId} is paid with ${received} and costs ${order.amount}`)
    paid.delete(paymentId)
  }
  for (const { orderId, payment } of paid.values()) {
    // The shop has the money of an order that was paid in its checkout.
    must('money', payment?.inShop === true, `${orderId} is paid and no money arrived`)
  }
  return findings
}

/** Checks that each active order of coupons has a code for each unit, and that no code is in two orders. */
export function couponFindings({ orders }: Pick<ObservedSale, 'orders'>): InvariantFinding[] {
  const { findings, must, none } = openFindings()
  const active = ordersWithUnits(orders)
  const undone = namesOf(active, ({ status }) => status !== 'fulfilled')
  const odd = namesOf(active, (order) => validCodesOf(order).length !== order.quantity)
  const all = orders.flatMap(({ coupons = [] }) => coupons)
  const twice = [...Map.groupBy(all, (code) => code)].filter(([, same]) => same.length > 1)
  none('I2', undone, 'order', 'not fulfilled')
  none(['I2', 'coupons'], odd, 'order', 'without one code for each unit')
  must(['I1', 'coupons'], twice.length === 0, `${counted(twice.length, 'code')} given out twice`)
  return findings
}

/** Returns the valid codes of an order. */
export function validCodesOf({ coupons = [] }: Pick<SnapshotOrder, 'coupons'>): readonly string[] {
  return coupons.filter((code) => readCoupon(code) !== undefined)
}

function namesOf(orders: readonly SnapshotOrder[], isWrong: (order: SnapshotOrder) => boolean): string[] {
  return orders.filter(isWrong).map(({ orderId }) => orderId)
}
