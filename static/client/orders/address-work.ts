/** What the page knows of the delivery of its order, and what the shopper does with it. */
import type { DeliveryView } from '../../../core/api/delivery.ts'
import type { OrderView } from '../../../core/api/shop.ts'
import { askFirst } from '../lib/confirm.ts'
import type { Fetch } from '../lib/http.ts'
import { askAddress } from './address-form.ts'
import { eraseContact, eraseDelivery, findDelivery } from './delivery-calls.ts'
import type { Trouble } from './order-calls.ts'
import type { OrdersVoice } from './orders-voice.ts'

/** `order` is the order as it stands then; absent where nothing changed. */
type Done = { order?: OrderView; trouble?: Trouble }

/** After an answer that failed. */
const againMs = 3000

export function addressWork({ voice, fetch }: { voice: OrdersVoice; fetch: Fetch }, draw: () => void) {
  let view: DeliveryView | undefined
  /** The order, as far as its delivery depends on it, for which `view` was read. */
  let readFor = ''

  /** Reads the delivery when the order has another one, or another status. */
  async function follow(order: OrderView): Promise<void> {
    const { orderId, status, delivery } = order
    const key = `${orderId} ${status} ${delivery}`
    if (delivery === undefined || key === readFor) return
    readFor = key
    const found = await findDelivery(fetch, orderId)
    if (found !== undefined) view = found
    else if (readFor === key) {
      readFor = ''
      // The page may not look at the order again: a paid one is settled.
      setTimeout(() => readFor === '' && void follow(order), againMs)
    }
    draw()
  }

  /** Opens the form with what the shop has now. */
  async function change(order: OrderView, save: 'address.save' | 'address.saveAndPay'): Promise<Done> {
    const found = await findDelivery(fetch, order.orderId)
    if (found === undefined) return { trouble: { key: 'address.loadFailed' } }
    view = found
    if (found.forms.length === 0) return { trouble: { key: 'address.locked' } }
    const stored = await askAddress({ voice, fetch, orderId: order.orderId, view: found, save })
    if (stored === undefined) return {}
    return { order: now(order, stored) }
  }

  async function erase(order: OrderView): Promise<Done> {
    const email = view?.email ?? null
    const answer = await askFirst(
      voice.t('address.eraseTitle'),
      [voice.t('address.eraseText'), ...(email === null ? [] : [voice.t('address.eraseEmailText', { email })])],
      [
        { value: 'yes', label: voice.t('address.erase'), kind: 'danger' },
        ...(email === null ? [] : [{ value: 'both', label: voice.t('address.eraseBoth'), kind: 'danger' } as const]),
      ],
      voice.t('address.keep'),
    )
    if (answer === undefined) return {}
    const left = await eraseDelivery(fetch, order.orderId)
    if (left === 'being-paid') return { trouble: { key: 'address.eraseBeingPaid' } }
    const isDone = left !== undefined && (answer !== 'both' || (await eraseContact(fetch)))
    return isDone ? { order: now(order, left) } : { trouble: { key: 'address.eraseFailed' } }
  }

  function now(order: OrderView, found: DeliveryView): OrderView {
    view = found
    const delivery = found.delivery === null ? 'missing' : 'stored'
    readFor = `${order.orderId} ${order.status} ${delivery}`
    // What delivery to another address costs, the shop says.
    const bill = order.status === 'awaiting-payment' && order.bill && { ...order.bill, delivery: null }
    return { ...order, delivery, ...(bill && { bill: { ...bill, total: bill.goods } }) }
  }

  return { seen: () => view, follow, change, erase }
}
