/** Orders changed status only as allowed (O8), and every payment is accounted for. */
import { parseOrderId, saleOfOrder } from '../../core/ids.ts'
import { isPaid, isShipped, type Order } from '../../core/order.ts'
import { transitions } from '../../core/order-life.ts'
import { refundOf } from '../../core/order-refunds.ts'
import type { World } from '../world.ts'

/**
 * Events outside the table of transitions: the first record, and payments or refunds that leave the
 * status unchanged.
 */
const otherSteps = new Set([
  'written',
  'rejected',
  'other-money-received',
  'money-returned',
  'money-disputed',
])

/**
 * Each transition was allowed, no order was cancelled while its shopper still had time to pay, and
 * none that was shipped lost its units.
 */
export function checkLife({ violated }: World, order: Order): void {
  const { orderId, history, payBy, reason } = order
  if (isShipped(order) !== history.some(isShipped) || isShipped(order) !== (order.shipment !== undefined)) {
    violated(`${orderId} is ${order.status}, and was shipped by ${order.shipment?.carrier} (O8)`)
  }
  for (const [index, { at, what, status }] of history.entries()) {
    const before = history[index - 1]?.status
    const next = before === undefined || !isLifeEvent(what) ? status : transitions[what][before]
    if (next !== status || (before !== undefined && !isLifeEvent(what) && !otherSteps.has(what))) {
      violated(`${orderId} went from ${before} to ${status} by ${what} (O8)`)
    }
    if (reason === 'unpaid' && status === 'cancelled' && at < payBy) {
      violated(`${orderId} was cancelled as unpaid ${payBy - at} ms too early (O8)`)
    }
  }
}

const isLifeEvent = (what: string): what is keyof typeof transitions => what in transitions

/** A payment belongs to a paid order, or it was refunded, once. No authorisation is left open. */
export function checkMoney({ provider, saleId, violated }: World, orders: readonly Order[]): void {
  const paid = new Map(orders.filter(isPaid).map((order) => [order.payment?.paymentId, order]))
  for (const {
    orderId,
    paymentId,
    authorised,
    isReleased,
    received,
    refunded,
  } of provider.accounts.values()) {
    const id = parseOrderId(orderId)
    if (id !== undefined && saleOfOrder(id) !== saleId) continue
    if (authorised > 0 && received > 0 === isReleased) {
      violated(`${authorised} authorised for ${paymentId} must be captured or released (money)`)
    }
    const order = paid.get(paymentId)
    // A shipped order stays paid for when its money goes back.
    const isOwed = order !== undefined && (refundOf(order, paymentId)?.amount ?? 0) > 0
    const should = order === undefined || isOwed ? received : 0
    if (refunded !== should) {
      violated(
        `${received} was charged ${paymentId}, ${refunded} was refunded and should be ${should} (money)`,
      )
    }
    if (order !== undefined && received !== order.amount) {
      violated(`${order.orderId} is paid with ${received} and costs ${order.amount} (money)`)
    }
    paid.delete(paymentId)
  }
  for (const { orderId } of paid.values()) violated(`${orderId} is paid and no money arrived (money)`)
}
