/** One order on its page: heading, steps, the time left to pay, and the facts. */
import type { OrderView } from '../../../core/order.ts'
import type { ordersMessages } from '../../messages/orders.ts'
import { make, setText } from '../dom.ts'
import type { Voice } from '../voice.ts'
import type { SaleCard } from './sale-card.ts'
import { stepsOf } from './steps.ts'

export type OrdersVoice = Voice<keyof typeof ordersMessages>

/** The order as an element. `now` is epoch ms. */
export function drawOrder(voice: OrdersVoice, order: OrderView, card: SaleCard, now: number): HTMLElement {
  return make(
    'article',
    { class: 'order', id: 'order', 'data-status': order.status },
    make('h1', {}, voice.t(`order.title.${order.status}`)),
    make('p', { class: 'lead', id: 'order-lead' }, lead(voice, order, now)),
    steps(voice, order),
    payClock(voice, order, now),
    make(
      'section',
      { class: 'order__item' },
      card.image === undefined ? undefined : make('img', { src: card.image, alt: '', width: 96, height: 96 }),
      make(
        'div',
        {},
        make('strong', {}, card.title),
        make('p', {}, `${voice.t('order.quantityOf', { n: order.quantity })} · ${amountOf(voice, order)}`),
      ),
    ),
    facts(voice, order),
    make(
      'p',
      { class: 'actions' },
      make('a', { class: 'button button--plain', href: '/orders/' }, voice.t('order.all')),
      make('a', { class: 'button button--plain', href: `/sales/${order.saleId}/` }, voice.t('order.toSale')),
    ),
  )
}

/** Keeps the time left to pay right without drawing the page again. */
export function tickOrder(voice: OrdersVoice, order: OrderView, now: number): void {
  const left = document.getElementById('pay-left')
  if (left !== null && order.payBy !== null) setText(left, voice.clock(order.payBy - now))
}

export function amountOf(voice: OrdersVoice, { amount, currency }: OrderView): string {
  return voice.money(amount, currency)
}

function lead(voice: OrdersVoice, order: OrderView, now: number): string {
  if (order.status === 'reserved') return voice.t('order.lead.reserved')
  if (order.status === 'rejected') return voice.t(`order.reason.${order.reason ?? 'over-cap'}`)
  if (order.payBy !== null && order.payBy <= now) return voice.t('order.lead.late')
  return voice.t('order.lead.awaiting-payment', { time: voice.moment(order.payBy ?? now) })
}

function steps(voice: OrdersVoice, { status }: OrderView): HTMLElement {
  const items = stepsOf(status).map(({ key, state }) =>
    make('li', { 'data-state': state, ...(state === 'now' ? { 'aria-current': 'step' } : {}) }, voice.t(key)),
  )
  return make('ol', { class: 'steps', 'aria-label': voice.t('order.steps') }, ...items)
}

function payClock(voice: OrdersVoice, { status, payBy }: OrderView, now: number): HTMLElement | undefined {
  if (status !== 'awaiting-payment' || payBy === null || payBy <= now) return undefined
  return make(
    'section',
    { class: 'order__pay' },
    make('p', { class: 'clock__label', id: 'pay-label' }, voice.t('order.payIn')),
    make(
      'p',
      { class: 'order__left', id: 'pay-left', role: 'timer', 'aria-labelledby': 'pay-label' },
      voice.clock(payBy - now),
    ),
  )
}

function facts(voice: OrdersVoice, order: OrderView): HTMLElement {
  const rows: [string, string, string][] = [
    ['order-id', voice.t('order.number'), order.orderId],
    ['order-reserved-at', voice.t('order.reservedAt'), voice.moment(order.reservedAt)],
  ]
  if (order.payBy !== null) rows.push(['order-pay-by', voice.t('order.payBy'), voice.moment(order.payBy)])
  return make(
    'dl',
    { class: 'facts' },
    ...rows.map(([id, name, value]) => make('div', {}, make('dt', {}, name), make('dd', { id }, value))),
  )
}
