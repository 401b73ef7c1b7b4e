/** One order as support sees it: what was bought, its payments and refunds, and all that happened. */
import type { FoundOrder } from '../../../../core/api/control.ts'
import { trackingUrl } from '../../../../core/orders/carriers.ts'
import type { HistoryWord } from '../../../../core/orders/order-life.ts'
import { failedRefunds, refundTotal } from '../../../../core/orders/order-refunds.ts'
import type { Shipment } from '../../../../core/orders/shipment.ts'
import type { Basket } from '../../../../core/sale/variants.ts'
import { linesText } from '../../lib/basket-words.ts'
import { make, setText } from '../../lib/dom.ts'
import { saleCard } from '../../orders/sale-card.ts'
import type { Key } from '../lib/kind-words.ts'
import { workButton } from '../lib/work-button.ts'
import { giveBackKeys, nothingToRefund } from '../sale/effects.ts'
import { refund, settleByHand } from '../sale/repairs.ts'
import type { ConsoleVoice, ViewContext } from '../view.ts'

const events: Readonly<Record<HistoryWord, Key>> = {
  reserved: 'event.reserved',
  written: 'event.written',
  rejected: 'event.rejected',
  'payment-queued': 'event.payment-queued',
  'payment-started': 'event.payment-started',
  'payment-authorised': 'event.payment-authorised',
  'payment-disputed': 'event.payment-disputed',
  'dispute-won': 'event.dispute-won',
  'dispute-lost': 'event.dispute-lost',
  'refund-failed': 'event.refund-failed',
  'refund-settled': 'event.refund-settled',
  'payment-succeeded': 'event.payment-succeeded',
  'payment-failed': 'event.payment-failed',
  'payment-window-over': 'event.payment-window-over',
  'cancelled-by-shopper': 'event.cancelled-by-shopper',
  'refunded-by-marketer': 'event.refunded-by-marketer',
  'refund-succeeded': 'event.refund-succeeded',
  'other-money-received': 'event.other-money-received',
  'money-returned': 'event.money-returned',
  shipped: 'event.shipped',
  delivered: 'event.delivered',
  'coupon-redeemed': 'event.coupon-redeemed',
  'redemption-undone': 'event.redemption-undone',
}

/** `onChange` is called once the order was given back. */
export function orderCard(
  context: ViewContext,
  order: FoundOrder,
  onChange: (order: FoundOrder) => void,
): HTMLElement {
  const { voice, may } = context
  const giveBackText = voice.t(giveBackKeys(order).act)
  const giveBack = workButton(`refund-${order.orderId}`, 'plain', giveBackText, async () => {
    if (await refund(context, order.orderId)) onChange(order)
  })
  const settled = workButton(`settle-${order.orderId}`, 'main', voice.t('settle.do'), async () => {
    if (await settleByHand(context, order.orderId)) onChange(order)
  })
  return make(
    'article',
    { class: 'panel order', 'data-order': order.orderId, 'data-status': order.status },
    make('h2', {}, order.orderId),
    make(
      'dl',
      { class: 'facts' },
      ...factsOf(voice, order).map(([name, value]) =>
        make('div', {}, make('dt', {}, voice.t(name)), make('dd', {}, value)),
      ),
    ),
    make('h3', {}, voice.t('find.history')),
    make('ol', { class: 'changes' }, ...order.history.map((entry) => step(voice, entry))),
    may('settleRefund') && failedRefunds(order).length > 0 ? settled : undefined,
    may('refund') && nothingToRefund(voice, order) === undefined ? giveBack : undefined,
  )
}

function factsOf(voice: ConsoleVoice, order: FoundOrder): [Key, string | Node][] {
  const {
    saleId,
    shopperId,
    quantity,
    basket,
    amount,
    currency,
    status,
    reservedAt,
    payBy,
    payment,
    refunds,
    shipment,
    dispute,
  } = order
  const shopper = make('a', { href: `#/orders/${encodeURIComponent(shopperId)}` }, shopperId)
  return [
    ['find.status', voice.t(`order.status.${status}`)],
    ['find.shopper', shopper],
    ['find.sale', make('a', { href: `#/sale/${saleId}` }, saleId)],
    ['find.amount', `${quantity.toLocaleString(voice.locale())} · ${voice.money(amount, currency)}`],
    ...(basket === undefined
      ? []
      : [['find.variants', variantsOf(voice, saleId, basket)] satisfies [Key, Node]]),
    ['find.reservedAt', voice.farMoment(reservedAt)],
    ...(payBy === null ? [] : [['find.payBy', voice.farMoment(payBy)] satisfies [Key, string]]),
    ...(payment === null ? [] : [['find.payment', paymentText(voice, payment)] satisfies [Key, string]]),
    ...(shipment === undefined
      ? []
      : [['find.carrier', shipmentText(shipment)] satisfies [Key, string | Node]]),
    ...(dispute === undefined
      ? []
      : [
          [
            'find.dispute',
            voice.t(`dispute.${dispute.state}`, { time: voice.farMoment(dispute.at) }),
          ] satisfies [Key, string],
        ]),
    ...refunds.map((one): [Key, string] => ['find.refund', refundText(voice, one)]),
  ]
}

/** Their names are on the page of the sale; until they are known the ids stand for them. */
function variantsOf(voice: ConsoleVoice, saleId: string, basket: Basket): HTMLElement {
  const element = make('span', {}, linesText(basket, new Map(), voice.locale()))
  void saleCard(saleId).then(({ variants }) => setText(element, linesText(basket, variants, voice.locale())))
  return element
}

function paymentText(voice: ConsoleVoice, { paymentId, state }: NonNullable<FoundOrder['payment']>): string {
  return `${paymentId} · ${voice.t(`payment.${state}`)}`
}

function refundText(voice: ConsoleVoice, refund: FoundOrder['refunds'][number]): string {
  const { paymentId, returned, currency, failedAt } = refund
  const money = (minor: number) => voice.money(minor, currency)
  const sums = { returned: money(returned), amount: money(refundTotal(refund)) }
  const text = `${paymentId} · ${voice.t('find.returned', sums)}`
  return failedAt === undefined
    ? text
    : `${text} · ${voice.t('find.refundFailed', { time: voice.farMoment(failedAt) })}`
}

function shipmentText(shipment: Shipment): string | Node {
  const { carrier, tracking } = shipment
  const url = trackingUrl(shipment)
  if (tracking === undefined) return carrier
  if (url === undefined) return `${carrier} · ${tracking}`
  const link = make('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, tracking)
  return make('span', {}, `${carrier} · `, link)
}

/** A step that this page has no words for is said by the status it led to. */
function step(voice: ConsoleVoice, { at, what, status }: FoundOrder['history'][number]): HTMLElement {
  const words = isKnown(what) ? events[what] : (`order.status.${status}` as const)
  return make('li', {}, make('span', {}, voice.farMoment(at)), ' ', voice.t(words))
}

function isKnown(what: string): what is HistoryWord {
  return Object.hasOwn(events, what)
}
