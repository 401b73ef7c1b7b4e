/**
 * Decides which email a change of an order causes, purely from the written order: the last entry of its history says what
 * happened, and its status is the result. docs/how-to/mail.md lists the places that a new email needs.
 */
import { ownValue } from '../../core/lib/own-value.ts'
import type { Order } from '../../core/orders/order.ts'
import type { OrderMail, OrderMailKind } from '../../core/people/mail.ts'
import type { ChangedOrder } from '../table/change-stream.ts'

/** The email for each entry of a history, by the resulting status. Other steps have no email. */
export const kindsByStep: Readonly<Record<string, Readonly<Record<string, OrderMailKind>>>> = {
  written: { 'awaiting-payment': 'payment-due', fulfilled: 'confirmed' },
  'payment-succeeded': { paid: 'confirmed' },
  rejected: { rejected: 'cancelled' },
  'payment-window-over': { cancelled: 'cancelled' },
  'cancelled-by-shopper': { cancelled: 'cancelled' },
  'refunded-by-marketer': { cancelled: 'cancelled', 'refund-due': 'cancelled' },
  'refund-succeeded': { refunded: 'refunded', shipped: 'refunded', delivered: 'refunded' },
  'money-returned': {
    'awaiting-payment': 'refunded',
    paid: 'refunded',
    cancelled: 'refunded',
    rejected: 'refunded',
    'refund-due': 'refunded',
    refunded: 'refunded',
    shipped: 'refunded',
    delivered: 'refunded',
  },
  shipped: { shipped: 'shipped' },
}

/** Returns the email that is due for `order` at `now` (epoch ms), if any. */
export function mailDueFor(order: Omit<ChangedOrder, 'steps'>, now: number): OrderMail | undefined {
  const kind = ownValue(ownValue(kindsByStep, order.what), order.status)
  if (kind === undefined) return undefined
  const { orderId, orderNumber, saleId, shopperId, quantity, variant, amount, currency } = order
  const facts = {
    ...{ orderId, saleId, shopperId, quantity, amount, currency },
    ...(orderNumber && { orderNumber }),
    ...(variant && { variant }),
    ...(order.deliveryCost !== undefined && { deliveryCost: order.deliveryCost }),
  }
  switch (kind) {
    case 'confirmed':
      return { ...facts, kind, hasCodes: order.hasCodes }
    case 'payment-due':
      // After an outage the request may be too late; then only the email about the cancellation follows.
      return now < order.payBy ? { ...facts, kind, payBy: order.payBy } : undefined
    case 'cancelled':
      return { ...facts, kind, reason: order.reason, isRefundDue: order.status === 'refund-due' }
    case 'refunded':
      return { ...facts, kind, returned: returnedIn(order) }
    case 'shipped':
      return { ...facts, kind, shipment: order.shipment }
  }
  return kind satisfies never
}

/** Returns the refunded sums so far, one per currency. */
function returnedIn({ refunds = [] }: Pick<Order, 'refunds'>): { amount: number; currency: string }[] {
  const sums = new Map<string, number>()
  for (const { returned, currency } of refunds) {
    if (returned > 0) sums.set(currency, (sums.get(currency) ?? 0) + returned)
  }
  return [...sums].map(([currency, amount]) => ({ amount, currency }))
}
