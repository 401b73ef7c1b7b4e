/**
 * Which e-mail a change of an order is worth: a pure function of the order as it was written. The last word of its
 * history says what happened, and its status what became of it. docs/how-to/mail.md lists the places of a new e-mail.
 */

import type { Order } from '../../core/orders/order.ts'
import type { OrderMail, OrderMailKind } from '../../core/people/mail.ts'
import type { ChangedOrder } from '../table/change-stream.ts'

/** The e-mail for each word of a history, by the status that the step led to. Other steps have no e-mail. */
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

/** The e-mail that is due for `order` at `now` (epoch ms); undefined for none. */
export function mailDueFor(order: Omit<ChangedOrder, 'steps'>, now: number): OrderMail | undefined {
  const kind = kindOf(order)
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
      // After an outage the request could come too late, and the e-mail about the end follows.
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

function kindOf({ what, status }: Pick<ChangedOrder, 'what' | 'status'>): OrderMailKind | undefined {
  const byStatus = Object.hasOwn(kindsByStep, what) ? kindsByStep[what] : undefined
  return byStatus !== undefined && Object.hasOwn(byStatus, status) ? byStatus[status] : undefined
}

/** The sums that were paid back so far, one for each currency. */
function returnedIn({ refunds = [] }: Pick<Order, 'refunds'>): { amount: number; currency: string }[] {
  const sums = new Map<string, number>()
  for (const { returned, currency } of refunds) {
    if (returned > 0) sums.set(currency, (sums.get(currency) ?? 0) + returned)
  }
  return [...sums].map(([currency, amount]) => ({ amount, currency }))
}
