/** Draws the shopper's orders, newest first, and merges the pages of the list. */
import type { OrderListPage, OrderView } from '../../core/api/shop.ts'
import { orderPath } from '../../core/orders/order-path.ts'
import { make } from '../../web/dom.ts'
import { actions, button, emptyPlace, linkedRow } from '../../web/parts.ts'
import type { SaleCard } from '../../web/sale-card.ts'
import { unitsAndAmount } from './order-view.ts'
import type { OrdersVoice } from './orders-voice.ts'

export type OrderWithSale = { order: OrderView; card: SaleCard }

/** The button for older orders. */
export type More = { isBusy: boolean; load: () => void }

export function drawOrders(voice: OrdersVoice, orders: readonly OrderWithSale[], more: More | undefined): HTMLElement {
  const newest = [...orders].sort((a, b) => b.order.reservedAt - a.order.reservedAt)
  return make(
    'section',
    { class: 'stack' },
    make('h1', {}, voice.t('orders.title')),
    newest.length === 0
      ? emptyPlace(
          voice.t('orders.empty'),
          make('a', { class: 'button button--plain', href: '/' }, voice.t('orders.toShop')),
        )
      : make('ul', { class: 'rows', id: 'order-list' }, ...newest.map((listed) => row(voice, listed))),
    more && moreButton(voice, more),
  )
}

function moreButton(voice: OrdersVoice, { isBusy, load }: More): HTMLElement {
  const text = voice.t(isBusy ? 'orders.moreBusy' : 'orders.more')
  return actions(button(text, load, { look: 'plain', id: 'more-orders', 'aria-disabled': String(isBusy) }))
}

function row(voice: OrdersVoice, { order, card }: OrderWithSale): HTMLElement {
  const { orderId, reservedAt } = order
  const status = order.refund ?? order.status
  return linkedRow(
    { 'data-order-id': orderId, 'data-status': status },
    {
      ...{ href: orderPath(orderId), id: `open-${orderId}`, image: card.image, title: card.titleIn(voice.language()) },
      notes: [
        make('span', {}, `${unitsAndAmount(voice, order, card)} · `, make('time', {}, voice.shortMoment(reservedAt))),
      ],
      end: make('span', { class: 'badge', 'data-status': status }, voice.t(`order.status.${status}`)),
    },
  )
}

/**
 * Merges the loaded pages of the list. Polling reads only the first page. Orders of later pages stay, as do orders that
 * newer ones push off the first page.
 */
export function orderPages() {
  const known = new Map<string, OrderView>()
  let next: string | null = null
  let isFirstOnly = true

  function keep({ orders }: OrderListPage): void {
    for (const order of orders) known.set(order.orderId, order)
  }

  return {
    /** Returns all loaded orders, unsorted. */
    orders: (): OrderView[] => [...known.values()],
    /** Returns the cursor of the next page; null after the last. */
    next: (): string | null => next,
    /** Adds the current first page. */
    takeFirst(page: OrderListPage): void {
      if (isFirstOnly) next = page.next
      keep(page)
    },
    /** Adds the page at `cursor`. Adding it again is a no-op. */
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
