/** The delivery address in the page of an order. */
import type { DeliveryView } from '../../../core/api/delivery.ts'
import type { OrderView } from '../../../core/api/shop.ts'
import { isPayable, type OrderStage } from '../../../core/orders/order-stage.ts'
import { make } from '../lib/dom.ts'
import type { OrderTask, TaskHandlers } from './order-headline.ts'
import type { OrdersVoice } from './orders-voice.ts'

/** `view` is undefined while it is being read, or could not be. */
type AddressSeen = {
  order: OrderView
  stage: OrderStage
  view: DeliveryView | undefined
  doing: OrderTask | undefined
}

/** Undefined where the sale asks for no address, or where none is stored and the time to give one is over. */
export function drawAddress(
  voice: OrdersVoice,
  { order, stage, view, doing }: AddressSeen,
  handlers: TaskHandlers,
): HTMLElement | undefined {
  if (order.delivery === undefined) return undefined
  const lines = view?.lines ?? []
  const canChange = view === undefined || view.forms.length > 0
  if (order.delivery === 'missing' && !canChange) return undefined
  const button = (id: 'change-address' | 'erase-address', text: string) =>
    make(
      'button',
      {
        ...{ type: 'button', id, class: 'button button--plain', click: handlers[id] },
        'aria-disabled': String(doing !== undefined),
      },
      text,
    )
  const isMissing = order.delivery === 'missing'
  const change = voice.t(isMissing ? 'address.add' : 'address.change')
  // The button that pays asks for a missing address first (payKeyOf).
  const ownButton = canChange && !(isMissing && isPayable(stage))
  return make(
    'section',
    { class: 'order__address', id: 'order-address', 'aria-labelledby': 'order-address-title' },
    make('h2', { id: 'order-address-title' }, voice.t('address.title')),
    lines.length > 0 && view?.delivery
      ? make(
          'address',
          {},
          // Lines of another direction than the page keep their order.
          ...[...lines, countryOf(voice, view.delivery.postalCountry), view.delivery.phone].map((line) =>
            make('span', {}, make('bdi', {}, line)),
          ),
        )
      : make('p', {}, voice.t(noteOf(order, view))),
    make(
      'div',
      { class: 'order__buttons' },
      ownButton ? button('change-address', change) : undefined,
      order.delivery === 'stored' ? button('erase-address', voice.t('address.erase')) : undefined,
    ),
  )
}

function noteOf({ status, delivery }: OrderView, view: DeliveryView | undefined) {
  if (delivery === 'stored') return view === undefined ? 'address.loading' : 'address.missing'
  return status === 'awaiting-payment' ? 'address.needed' : 'address.missing'
}

function countryOf(voice: OrdersVoice, code: string): string {
  return new Intl.DisplayNames(voice.locale(), { type: 'region' }).of(code) ?? code
}
