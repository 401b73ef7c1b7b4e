/** How an order was sent: the carrier, the number with a link to follow it, and the times. */
import type { OrderView } from '../../../core/api/shop.ts'
import { trackingUrl } from '../../../core/orders/carriers.ts'
import type { Shipment } from '../../../core/orders/shipment.ts'
import { make, setText } from '../lib/dom.ts'
import { copyText } from '../lib/save.ts'
import type { OrdersVoice } from './orders-voice.ts'

/** Undefined for an order that was not shipped. */
export function drawShipment(voice: OrdersVoice, { shipment, history }: OrderView): HTMLElement | undefined {
  if (shipment === undefined) return undefined
  const first = (status: 'shipped' | 'delivered') => history.find((step) => step.status === status)?.at
  const { carrier, tracking } = shipment
  return make(
    'section',
    { class: 'shipment', 'aria-labelledby': 'shipment-title' },
    make('h2', { id: 'shipment-title' }, voice.t('shipment.title')),
    make(
      'dl',
      { class: 'facts' },
      fact(voice.t('shipment.carrier'), make('dd', { id: 'shipment-carrier' }, carrier)),
      tracking === undefined ? undefined : trackingFact(voice, shipment, tracking),
      timeFact(voice, 'shipped', first('shipped')),
      timeFact(voice, 'delivered', first('delivered')),
    ),
  )
}

function fact(name: string, value: HTMLElement): HTMLElement {
  return make('div', {}, make('dt', {}, name), value)
}

function timeFact(
  voice: OrdersVoice,
  status: 'shipped' | 'delivered',
  at: number | undefined,
): HTMLElement | undefined {
  if (at === undefined) return undefined
  const time = make('time', { datetime: new Date(at).toISOString() }, voice.moment(at))
  return fact(voice.t(`order.status.${status}`), make('dd', { id: `shipment-${status}` }, time))
}

function trackingFact(voice: OrdersVoice, shipment: Shipment, tracking: string): HTMLElement {
  const url = trackingUrl(shipment)
  const shown = make('span', { class: 'shipment__number', translate: 'no' }, tracking)
  const link =
    url === undefined
      ? shown
      : make('a', { href: url, id: 'track', target: '_blank', rel: 'noopener noreferrer' }, shown)
  const note = make('span', { class: 'shipment__note', id: 'shipment-note', role: 'status' })
  const button = make(
    'button',
    {
      type: 'button',
      class: 'button button--plain',
      id: 'copy-tracking',
      click: () => void copy(voice, { shown, button, note }),
    },
    voice.t('coupon.copy'),
  )
  return fact(
    voice.t('shipment.tracking'),
    make('dd', { id: 'shipment-tracking', class: 'shipment__tracking' }, link, button, note),
  )
}

type Parts = { shown: HTMLElement; button: HTMLElement; note: HTMLElement }

/** The button shows that it worked; a browser without a clipboard gets the number selected. */
async function copy(voice: OrdersVoice, { shown, button, note }: Parts): Promise<void> {
  const isCopied = await copyText(shown.textContent)
  setText(button, voice.t(isCopied ? 'coupon.copied' : 'coupon.copy'))
  if (!isCopied) window.getSelection()?.selectAllChildren(shown)
  note.classList.toggle('unseen', isCopied)
  note.replaceChildren(voice.t(isCopied ? 'coupon.copied' : 'shipment.copyByHand'))
}
