/** Draws the page of one order. */
import type { DeliveryView } from '../../core/api/delivery.ts'
import type { OrderView } from '../../core/api/shop.ts'
import { orderName } from '../../core/orders/order-number.ts'
import { ordersPath } from '../../core/orders/order-path.ts'
import { isPayable, type OrderStage } from '../../core/orders/order-stage.ts'
import { clockText } from '../../templates/messages/time-text.ts'
import { make, setText } from '../../web/dom.ts'
import { button, fact } from '../../web/parts.ts'
import type { SaleCard } from '../../web/sale-card.ts'
import { linesText } from '../../web/variant-words.ts'
import { drawBill, isTotalOpen, refundedFact } from './bill.ts'
import { drawCoupons, isOfCoupons } from './coupons.ts'
import { drawAddress, drawShipment } from './delivery-view.ts'
import type { Trouble } from './order-calls.ts'
import { leadOf, type OrderTask, payKeyOf, type TaskHandlers, titleKeyOf } from './order-headline.ts'
import type { OrdersVoice } from './orders-voice.ts'
import { stepsOf, timelineOf } from './steps.ts'

/** `now` is epoch ms on the shop's clock; `trouble` is why the last action failed. */
export type OrderProps = {
  order: OrderView
  card: SaleCard
  stage: OrderStage
  now: number
  doing: OrderTask | undefined
  trouble: Trouble | undefined
  /** The seconds from the click until the payment page opens automatically. */
  waitSeconds: number | undefined
  /** The delivery address, once it is loaded. */
  address: DeliveryView | undefined
}

export function drawOrder(voice: OrdersVoice, seen: OrderProps, handlers: TaskHandlers): HTMLElement {
  const { order, card, stage } = seen
  const picture =
    card.image === undefined ? undefined : make('img', { src: card.image, alt: '', width: 96, height: 96 })
  const paying = [isPayable(stage) ? payment(voice, seen, handlers) : undefined, sayTrouble(voice, seen)]
  const title = card.titleIn(voice.language())
  const bill = drawBill(voice, { order, stage, title, units: quantityOf(voice, order, card) })
  const address =
    stage === 'checking'
      ? undefined
      : drawAddress(voice, { order, stage, view: seen.address, doing: seen.doing }, handlers)
  return make(
    'article',
    { class: 'order', id: 'order', 'data-status': order.status, 'data-stage': stage },
    make('h1', { id: 'order-title', tabindex: -1 }, titleOf(voice, seen)),
    make('p', { class: 'lead', id: 'order-lead' }, leadText(voice, seen)),
    drawCoupons(voice, order, stage),
    drawShipment(voice, order),
    steps(voice, seen),
    ...(order.delivery === 'missing' ? [address, bill, ...paying] : [bill, ...paying, address]),
    make(
      'section',
      { class: 'order__item panel' },
      picture,
      make(
        'div',
        {},
        make('strong', { dir: 'auto' }, title),
        make('p', { class: 'note' }, unitsAndAmount(voice, order, card)),
      ),
    ),
    timeline(voice, order),
    facts(voice, order, bill !== undefined),
    make(
      'p',
      { class: 'actions' },
      make('a', { class: 'button button--plain', href: ordersPath, id: 'to-orders' }, voice.t('order.all')),
      make(
        'a',
        { class: 'button button--plain', href: `/sales/${order.saleId}/`, id: 'to-sale' },
        voice.t('order.toSale'),
      ),
    ),
  )
}

/** Updates the time left to pay without a redraw of the page. */
export function tickOrder(voice: OrdersVoice, { payBy }: OrderView, now: number): void {
  const left = document.getElementById('pay-left')
  if (left !== null && payBy !== null) setText(left, clockText(payBy - now, voice.t('time.d')))
}

type Headed = Pick<OrderProps, 'order' | 'card' | 'stage'>

export function titleOf(voice: OrdersVoice, { order, card, stage }: Headed): string {
  return voice.t(titleKeyOf(order, stage, isOfCoupons(order, card)), { n: order.quantity })
}

/** Returns the lead. Chinese and Japanese have no space between sentences. */
export function leadText(voice: OrdersVoice, { order, card, stage }: Headed): string {
  const time = order.payBy === null ? '' : voice.moment(order.payBy)
  const args = { amount: amountOf(voice, order), time, n: order.quantity }
  const sentences = leadOf(order, stage, isOfCoupons(order, card)).map((key) => voice.t(key, args))
  return sentences.join(/^(?:zh|ja)/.test(voice.locale()) ? '' : ' ')
}

function amountOf(voice: OrdersVoice, { amount, currency }: OrderView): string {
  return voice.money(amount, currency)
}

/** Returns the units of an order as text: with their price, or as coupons. */
export function unitsAndAmount(voice: OrdersVoice, order: OrderView, card: SaleCard): string {
  const quantity = quantityOf(voice, order, card)
  if (isOfCoupons(order, card)) return `${voice.t('coupon.name')} · ${quantity}`
  return order.status === 'reserved' ? quantity : `${quantity} · ${amountOf(voice, order)}`
}

function quantityOf(voice: OrdersVoice, { variant, quantity }: OrderView, card: SaleCard): string {
  return variant === undefined
    ? voice.t('order.quantityOf', { n: quantity })
    : linesText({ [variant]: quantity }, card.variantsIn(voice.language()), voice.locale())
}

function steps(voice: OrdersVoice, { order, card }: Headed): HTMLElement {
  const bought = isOfCoupons(order, card) ? 'coupons' : order.amount === 0 ? 'free' : 'paid'
  const items = stepsOf(order.status, bought, order.refund).map(({ key, state }) =>
    make('li', { 'data-state': state, ...(state === 'now' ? { 'aria-current': 'step' } : {}) }, voice.t(key)),
  )
  return make('ol', { class: 'steps', 'aria-label': voice.t('order.steps') }, ...items)
}

function payment(voice: OrdersVoice, seen: OrderProps, handlers: TaskHandlers): HTMLElement {
  const { order, stage, doing } = seen
  const { waitSeconds } = seen
  const isHeldUp = waitSeconds !== undefined || isTotalOpen(order)
  const key = payKeyOf(order, stage, waitSeconds === undefined ? doing : 'pay')
  const pay = voice.t(key, { amount: amountOf(voice, order) })
  const task = (id: 'pay' | 'give-back', look: string, text: string) =>
    button(text, handlers[id], {
      ...{ look, id, 'aria-describedby': 'order-trouble' },
      // Not `disabled`: that would remove the keyboard focus.
      'aria-disabled': String(doing !== undefined || (id === 'pay' && isHeldUp)),
    })
  return make(
    'section',
    { class: 'order__pay stack' },
    ...payClock(voice, seen),
    make(
      'p',
      { class: 'order__wait', id: 'pay-wait', role: 'status' },
      waitSeconds === undefined ? '' : voice.t('order.paySoon', { seconds: waitSeconds }),
    ),
    make(
      'div',
      { class: 'actions' },
      task('pay', 'pay', pay),
      task('give-back', 'plain', voice.t(doing === 'give-back' ? 'order.cancelBusy' : 'order.cancel')),
    ),
  )
}

function sayTrouble(voice: OrdersVoice, { trouble }: OrderProps): HTMLElement {
  const text = trouble === undefined ? '' : voice.t(trouble.key, trouble.args)
  return make('p', { class: 'order__trouble', id: 'order-trouble', role: 'alert' }, text)
}

function payClock(voice: OrdersVoice, { order: { payBy }, now }: OrderProps): HTMLElement[] {
  if (payBy === null || payBy <= now) return []
  const label = make('p', { class: 'clock__label', id: 'pay-label' }, voice.t('order.payIn'))
  const left = { class: 'order__left', id: 'pay-left', role: 'timer', 'aria-labelledby': 'pay-label' }
  return [label, make('p', left, clockText(payBy - now, voice.t('time.d')))]
}

function timeline(voice: OrdersVoice, order: OrderView): HTMLElement {
  const items = timelineOf(order).map(({ at, key }) =>
    make(
      'li',
      {},
      make('span', {}, voice.t(key)),
      make('time', { datetime: new Date(at).toISOString() }, voice.shortMoment(at)),
    ),
  )
  return make(
    'section',
    { class: 'stack' },
    make('h2', { id: 'timeline-title' }, voice.t('order.timeline')),
    make('ol', { class: 'timeline', id: 'timeline', 'aria-labelledby': 'timeline-title' }, ...items),
  )
}

function facts(voice: OrdersVoice, order: OrderView, isBilled: boolean): HTMLElement {
  const { status, payBy } = order
  const rows: HTMLElement[] = []
  const add = (id: string, name: string, value: string) => rows.push(fact(name, { id }, value))
  // A reserved order has no number yet.
  if (status !== 'reserved') add('order-number', voice.t('order.number'), orderName(order))
  if (status === 'awaiting-payment' && payBy !== null) {
    add('order-pay-by', voice.t('order.payBy'), voice.moment(payBy))
  }
  return make('dl', { class: 'facts' }, ...rows, isBilled ? undefined : refundedFact(voice, order))
}
