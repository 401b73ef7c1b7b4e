/** The facts of an order for a report, as a line of some 60 bytes in its item for the index of orders. */
import { idShapes, type OrderId, type ShopperId } from '../../../core/ids.ts'
import { disputeStates, type Order, type OrderStatus, orderStatuses } from '../../../core/orders/order.ts'
import { refundSum, refundTotal } from '../../../core/orders/order-refunds.ts'
import { shownStatus } from '../../../core/orders/order-standing.ts'
import type { CountedOrder } from '../../../core/report/rows.ts'

/** `refundDue` and `refundReturned` are of payments in the order's currency, absent without one. */
export type ReportedOrder = CountedOrder & {
  orderId: OrderId
  shopperId: ShopperId
  currency: string
  refundDue?: number | undefined
  refundReturned?: number | undefined
  source?: string | undefined
}

export function reportedOrder(order: Order): ReportedOrder {
  const { orderId, shopperId, quantity, variant, amount, currency, status, reservedAt, source } = order
  return {
    ...{ orderId, shopperId, quantity, variant, amount, currency, status, reservedAt },
    shown: shownStatus(order),
    ...{ paidAt: paidAtOf(order), endedAt: endedAtOf(order) },
    refundDue: refundSum(order, refundTotal),
    refundReturned: refundSum(order, ({ returned }) => returned),
    ...{ dispute: order.dispute?.state, source },
  }
}

const paidSteps: readonly string[] = ['payment-succeeded', 'confirmed-by-shop']

/** Returns when the order was paid, at the payment provider or in the checkout of the shop; undefined before. */
export const paidAtOf = ({ history }: Pick<Order, 'history'>): number | undefined =>
  history.find(({ what }) => paidSteps.includes(what))?.at

/** An order that a shop released is `refunded` at once, without `refund-due` before. */
const endStates: readonly OrderStatus[] = ['cancelled', 'rejected', 'refund-due', 'refunded']

/** Returns when the order first lost its units, or its refund fell due; undefined before. */
const endedAtOf = (order: Pick<Order, 'history'>): number | undefined => timeOfStatus(order, endStates)

/** Returns when a refund of the whole order was complete. A sent order keeps its status. */
export const refundedAtOf = ({ history }: Pick<Order, 'history'>): number | undefined =>
  history.findLast(
    ({ what, status }) => status === 'refunded' || what === 'refund-succeeded' || what === 'refund-settled',
  )?.at

/** Returns when the order first got one of those statuses; undefined before. */
export const timeOfStatus = (
  { history }: Pick<Order, 'history'>,
  statuses: readonly OrderStatus[],
): number | undefined => history.find(({ status }) => statuses.includes(status))?.at

/** Each version of the line has its own number, so that no version misreads it. */
const lineVersion = '2'

/** Writes the line of an order. No word has a space, and empty words at the end are omitted. */
export function reportLine(order: ReportedOrder): string {
  const { shopperId, quantity, variant, amount, currency, status, reservedAt, paidAt, endedAt } = order
  const after = (at: number | undefined) => (at === undefined ? undefined : at - reservedAt)
  const words = [
    ...[lineVersion, shopperId, quantity, variant, amount, currency, status, reservedAt],
    ...[after(paidAt), after(endedAt), order.refundDue, order.refundReturned, order.dispute, order.source],
    order.shown === status ? undefined : order.shown,
  ]
  return words.join(' ').trimEnd()
}

const count = String.raw`0|[1-9]\d{0,14}`
const change = `-?(?:${count})`
/** Matches the words of a line in order. Words after the reservation may be empty, and omitted at the end. */
const lineShape = new RegExp(
  [
    `^${lineVersion} (${idShapes.shopper}) (${count}) ([a-z0-9-]*) (${count}) ([A-Z]{3}) ([a-z-]+) (${count})`,
    ...[change, change, count, count, '[a-z]+', '[a-z0-9_.-]{1,64}', '[a-z-]+'].map((word) => `(?: ((?:${word})?)`),
    ')?'.repeat(7),
    '$',
  ].join(''),
)

/** Reads a line; undefined for a line of another version, when the order itself must be read. */
export function readReportLine(orderId: OrderId, line: unknown): ReportedOrder | undefined {
  const words = typeof line === 'string' ? lineShape.exec(line) : null
  if (words === null) return undefined
  const [, shopperId, quantity, variant, amount, currency = '', named, reserved, ...others] = words
  const [paid, ended, due, returned, disputed, source, shownAs] = others
  const reservedAt = Number(reserved)
  const after = (word: string) => reservedAt + Number(word)
  const status = orderStatuses.find((one) => one === named)
  const dispute = optional(disputed, (word) => disputeStates.find((one) => one === word))
  const shown = shownAs ? orderStatuses.find((one) => one === shownAs) : status
  if (status === undefined || shown === undefined || (disputed && !dispute)) return undefined
  return {
    ...{ orderId, shopperId: shopperId as ShopperId, quantity: Number(quantity), variant: variant || undefined },
    ...{ amount: Number(amount), currency, status, shown, reservedAt },
    ...{ paidAt: optional(paid, after), endedAt: optional(ended, after) },
    ...{ refundDue: optional(due, Number), refundReturned: optional(returned, Number) },
    ...{ dispute, source: optional(source, String) },
  }
}

const optional = <T>(word: string | undefined, read: (word: string) => T): T | undefined =>
  word ? read(word) : undefined
