/** A shopper's own orders, newest first. */
import type { OrderListPage, OrderView } from '../../core/api/shop.ts'
import { orderPath } from '../../core/orders/order-path.ts'
import { make } from '../../web/dom.ts'
import { actions, button, emptyPlace, linkedRow } from '../../web/parts.ts'
import type { SaleCard } from '../../web/sale-card.ts'
import { unitsOf } from './order-view.ts'
import type { OrdersVoice } from './orders-voice.ts'

export type ListedOrder = { order: OrderView; card: SaleCard }

/** The way to older orders: `load` is called when it is pressed, unless they are being loaded already. */
export type More = { isBusy: boolean; load: () => void }

export function drawOrders(voice: OrdersVoice, orders: readonly ListedOrder[], more: More | undefined): HTMLElement {
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

function row(voice: OrdersVoice, { order, card }: ListedOrder): HTMLElement {
  const { orderId, reservedAt } = order
  const status = order.refund ?? order.status
  return linkedRow(
    { 'data-order-id': orderId, 'data-status': status },
    {
      ...{ href: orderPath(orderId), id: `open-${orderId}`, image: card.image, title: card.titleIn(voice.language()) },
      notes: [make('span', {}, `${unitsOf(voice, order, card)} · `, make('time', {}, voice.shortMoment(reservedAt)))],
      end: make('span', { class: 'badge', 'data-status': status }, voice.t(`order.status.${status}`)),
    },
  )
}

/**
 * The pages of a shopper's list as far as they are loaded. Looking again reads the first page only; what was loaded
 * of the others stays as it was, and an order that a new one pushed off the first page is not lost.
 */
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
