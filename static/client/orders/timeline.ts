/** An order's history in words: what happened, and when. */
import type { OrderView } from '../../../core/api/shop.ts'
import { isHistoryWord } from '../../../core/orders/history-words.ts'
import { type HistoryEntry, isShipped } from '../../../core/orders/order.ts'
import type { OrdersKey } from './order-headline.ts'

/** `at` is epoch ms. */
export type TimelineItem = { at: number; key: OrdersKey }

/**
 * The items, oldest first. It begins with the reservation, also while nothing but that is known.
 */
export function timelineOf({ reservedAt, history }: Pick<OrderView, 'reservedAt' | 'history'>): TimelineItem[] {
  const items = history.map((entry, at): TimelineItem => ({ at: entry.at, key: keyOf(entry, history[at - 1]) }))
  return history[0]?.status === 'reserved' ? items : [{ at: reservedAt, key: 'order.event.reserved' }, ...items]
}

/** A page may be older than the shop: what it has no words for is items by the status it led to. */
function keyOf({ what, status }: HistoryEntry, before: HistoryEntry | undefined): OrdersKey {
  if (before !== undefined && isShipped(before)) {
    if (what === 'shipped') return 'order.event.shipment-corrected'
    if (what === 'refunded-by-marketer') return 'order.event.refund-started'
  }
  return isHistoryWord(what) ? `order.event.${what}` : `order.status.${status}`
}
