/** An order's history in words: what happened, and when. */
import type { OrderView } from '../../../core/api/shop.ts'
import { type HistoryEntry, isShipped } from '../../../core/orders/order.ts'
import type { HistoryWord } from '../../../core/orders/order-life.ts'
import type { OrdersKey } from './order-headline.ts'

const events: Readonly<Record<HistoryWord, OrdersKey>> = {
  reserved: 'order.event.reserved',
  written: 'order.event.written',
  rejected: 'order.event.rejected',
  'payment-queued': 'order.event.payment-queued',
  'payment-started': 'order.event.payment-started',
  'payment-authorised': 'order.event.payment-authorised',
  'payment-disputed': 'order.event.payment-disputed',
  'dispute-won': 'order.event.dispute-won',
  'dispute-lost': 'order.event.dispute-lost',
  'refund-failed': 'order.event.refund-failed',
  'refund-settled': 'order.event.refund-settled',
  'payment-succeeded': 'order.event.payment-succeeded',
  'payment-failed': 'order.event.payment-failed',
  'payment-window-over': 'order.event.payment-window-over',
  'cancelled-by-shopper': 'order.event.cancelled-by-shopper',
  'confirmed-by-shop': 'order.event.confirmed-by-shop',
  'released-by-shop': 'order.event.released-by-shop',
  'refunded-by-marketer': 'order.event.refunded-by-marketer',
  'refund-succeeded': 'order.event.refund-succeeded',
  'other-money-received': 'order.event.other-money-received',
  'money-returned': 'order.event.money-returned',
  shipped: 'order.event.shipped',
  delivered: 'order.event.delivered',
  withdrawn: 'order.event.withdrawn',
  'units-returned': 'order.event.units-returned',
  'coupon-redeemed': 'order.event.coupon-redeemed',
  'redemption-undone': 'order.event.redemption-undone',
}

/** `at` is epoch ms. */
export type TimelineItem = { at: number; key: OrdersKey }

/**
 * The items, oldest first. It begins with the reservation, also while nothing but that is known.
 */
export function timelineOf({
  reservedAt,
  history,
}: Pick<OrderView, 'reservedAt' | 'history'>): TimelineItem[] {
  const items = history.map(
    (entry, at): TimelineItem => ({ at: entry.at, key: keyOf(entry, history[at - 1]) }),
  )
  return history[0]?.status === 'reserved'
    ? items
    : [{ at: reservedAt, key: 'order.event.reserved' }, ...items]
}

/** A page may be older than the shop: what it has no words for is items by the status it led to. */
function keyOf({ what, status }: HistoryEntry, before: HistoryEntry | undefined): OrdersKey {
  if (before !== undefined && isShipped(before)) {
    if (what === 'shipped') return 'order.event.shipment-corrected'
    if (what === 'refunded-by-marketer') return 'order.event.refund-started'
  }
  return isKnown(what) ? events[what] : `order.status.${status}`
}

function isKnown(what: string): what is HistoryWord {
  return Object.hasOwn(events, what)
}
