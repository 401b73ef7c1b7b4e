/** Draws the delivery of an order: its address and its shipment. */
import type { DeliveryView } from '../../core/api/delivery.ts'
import type { OrderView } from '../../core/api/shop.ts'
import { trackingUrl } from '../../core/orders/carriers.ts'
import { isPayable, type OrderStage } from '../../core/orders/order-stage.ts'
import type { Shipment } from '../../core/orders/shipment.ts'
import { countryNames } from '../../templates/messages/language.ts'
import { make, setText } from '../../web/dom.ts'
import { button, fact, headed } from '../../web/parts.ts'
import { copyText } from '../../web/save.ts'
import type { OrderTask, TaskHandlers } from './order-headline.ts'
import type { OrdersVoice } from './orders-voice.ts'

/** `view` is undefined while it is loading or if it failed to load. */
type AddressSeen = { order: OrderView; stage: OrderStage; view: DeliveryView | undefined; doing: OrderTask | undefined }

/**
 * Draws the delivery address. Undefined if the sale needs no address, or if none is stored and it is too late to add one.
 */
export function drawAddress(
  voice: OrdersVoice,
  { order, stage, view, doing }: AddressSeen,
  handlers: TaskHandlers,
): HTMLElement | undefined {
  if (order.delivery === undefined) return undefined
  const lines = view?.lines ?? []
  const canChange = view === undefined || view.forms.length > 0
  if (order.delivery === 'missing' && !canChange) return undefined
  const task = (id: 'change-address' | 'erase-address', text: string) =>
    button(text, handlers[id], { look: 'plain', id, 'aria-disabled': String(doing !== undefined) })
  const isMissing = order.delivery === 'missing'
  const change = voice.t(isMissing ? 'address.add' : 'address.change')
  // The button that pays asks for a missing address first (payKeyOf).
  const ownButton = canChange && !(isMissing && isPayable(stage))
  return headed(
    'order-address-title',
    voice.t('address.title'),
    { class: 'order__address stack', id: 'order-address' },
    lines.length > 0 && view?.delivery
      ? make(
          'address',
          {},
          // `bdi` keeps the order of lines in another direction.
          ...[...lines, countryOf(voice, view.delivery.postalCountry), view.delivery.phone].map((line) =>
            make('span', {}, make('bdi', {}, line)),
          ),
        )
      : make('p', {}, voice.t(noteOf(order, view))),
    make(
      'div',
      { class: 'actions' },
      ownButton ? task('change-address', change) : undefined,
      order.delivery === 'stored' ? task('erase-address', voice.t('address.erase')) : undefined,
    ),
  )
}

function noteOf({ status, delivery }: OrderView, view: DeliveryView | undefined) {
  if (delivery === 'stored') return view === undefined ? 'address.loading' : 'address.missing'
  return status === 'awaiting-payment' ? 'address.needed' : 'address.missing'
}

function countryOf(voice: OrdersVoice, code: string): string {
  return countryNames(voice.locale())(code)
}

/** Draws carrier, tracking number and times of a shipment; undefined for an order that was not shipped. */
export function drawShipment(voice: OrdersVoice, { shipment, history }: OrderView): HTMLElement | undefined {
  if (shipment === undefined) return undefined
  const first = (status: 'shipped' | 'delivered') => history.find((step) => step.status === status)?.at
  const { carrier, tracking } = shipment
  return headed(
    'shipment-title',
    voice.t('shipment.title'),
    {},
    make(
      'dl',
      { class: 'facts' },
      fact(voice.t('shipment.carrier'), { id: 'shipment-carrier' }, carrier),
      tracking === undefined ? undefined : trackingFact(voice, shipment, tracking),
      timeFact(voice, 'shipped', first('shipped')),
      timeFact(voice, 'delivered', first('delivered')),
    ),
  )
}

function timeFact(
  voice: OrdersVoice,
  status: 'shipped' | 'delivered',
  at: number | undefined,
): HTMLElement | undefined {
  if (at === undefined) return undefined
  const time = make('time', { datetime: new Date(at).toISOString() }, voice.moment(at))
  return fact(voice.t(`order.status.${status}`), { id: `shipment-${status}` }, time)
}

function trackingFact(voice: OrdersVoice, shipment: Shipment, tracking: string): HTMLElement {
  const url = trackingUrl(shipment)
  const shown = make('span', { translate: 'no' }, tracking)
  const link =
    url === undefined
      ? shown
      : make('a', { href: url, id: 'track', target: '_blank', rel: 'noopener noreferrer' }, shown)
  const note = make('span', { class: 'shipment__note', id: 'shipment-note', role: 'status' })
  const look = { look: 'plain', id: 'copy-tracking' }
  const copier = button(voice.t('coupon.copy'), () => void copy(voice, { shown, copier, note }), look)
  return fact(voice.t('shipment.tracking'), { id: 'shipment-tracking', class: 'row' }, link, copier, note)
}

type Parts = { shown: HTMLElement; copier: HTMLElement; note: HTMLElement }

/** Copies the tracking number, or selects it if the browser refuses. */
async function copy(voice: OrdersVoice, { shown, copier, note }: Parts): Promise<void> {
  const isCopied = await copyText(shown.textContent, shown)
  setText(copier, voice.t(isCopied ? 'coupon.copied' : 'coupon.copy'))
  note.classList.toggle('unseen', isCopied)
  note.replaceChildren(voice.t(isCopied ? 'coupon.copied' : 'shipment.copyByHand'))
}
