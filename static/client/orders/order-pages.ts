/**
 * The pages of a shopper's list as far as they are loaded. Looking again reads the first page only;
 * what was loaded of the others stays as it was, and an order that a new one pushed off the first
 * page is not lost.
 */
import type { OrderListPage, OrderView } from '../../../core/api/shop.ts'

export function orderPages() {
  const known = new Map<string, OrderView>()
  let next: string | null = null
  let isFirstOnly = true

  function keep({ orders }: OrderListPage): void {
    for (const order of orders) known.set(order.orderId, order)
  }

  return {
    /** All that is known, in no order. */
    orders: (): OrderView[] => [...known.values()],
    /** The cursor of the page to load next; null when there is none. */
    next: (): string | null => next,
    /** The first page as it is now. */
    takeFirst(page: OrderListPage): void {
      if (isFirstOnly) next = page.next
      keep(page)
    },
    /** The page that `cursor` led to; one that was taken before changes nothing. */
    takeMore(cursor: string, page: OrderListPage): void {
      if (cursor !== next) return
      isFirstOnly = false
      next = page.next
      keep(page)
    },
    clear(): void {
      known.clear()
      next = null
      isFirstOnly = true
    },
  }
}
