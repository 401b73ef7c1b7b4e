/** Runs the actions of an order page, one at a time. */
import type { Fetch } from '../../client/http.ts'
import type { DeliveryView } from '../../core/api/delivery.ts'
import type { OrderView } from '../../core/api/shop.ts'
import { isolated } from '../../core/lib/text.ts'
import { askFirst } from '../../web/confirm.ts'
import type { SaleCard } from '../../web/sale-card.ts'
import { askAddress } from './address-form.ts'
import { isBilledFirst, isTotalOpen } from './bill.ts'
import { eraseContact, eraseDelivery, findDelivery, openPayment, requestCancel, type Trouble } from './order-calls.ts'
import type { OrderTask } from './order-headline.ts'
import type { OrdersVoice } from './orders-voice.ts'

/** Enables the button again if the browser has not left the page after this time, ms. */
const maxLeavingMs = 10_000

/** `onStale` is called when the page may show a stale order. */
type Ports = { voice: OrdersVoice; fetch: Fetch; onStale(): void }

/** The order on the page: `take` shows a newer one, `draw` redraws it. */
type Shown = { order(): OrderView | undefined; take(fresh: OrderView): boolean; draw(): void }

/** Returns the handlers. A click during another action is ignored. */
export function orderWork({ voice, fetch, onStale }: Ports, card: SaleCard, shown: Shown) {
  let doing: OrderTask | undefined
  let trouble: Trouble | undefined
  /** The payment page opens automatically after `seconds`. */
  let waiting: { seconds: number; timer: number } | undefined
  const address = addressWork({ voice, fetch }, shown.draw)

  function begin(next: OrderTask): void {
    doing = next
    trouble = undefined
    shown.draw()
  }

  function wait(seconds: number): void {
    waiting = { seconds, timer: window.setTimeout(() => void pay(), seconds * 1000) }
    end(undefined)
  }

  function stopWaiting(): void {
    clearTimeout(waiting?.timer)
    waiting = undefined
  }

  function end(reason: Trouble | undefined): void {
    doing = undefined
    trouble = reason
    shown.draw()
  }

  async function pay(): Promise<void> {
    const order = shown.order()
    if (order === undefined || doing !== undefined || isTotalOpen(order)) return
    stopWaiting()
    if (order.delivery === 'missing') {
      // The payment starts once the address form is closed.
      begin('change-address')
      if (!(await addressBeforePayment(order))) return
      if (isBilledFirst(order)) {
        // The shopper must see the new total before ordering.
        end(undefined)
        onStale()
        return focusOn('pay')
      }
    }
    begin('pay')
    const opened = await openPayment(fetch, order.orderId, {
      origin: location.origin,
      language: document.documentElement.lang,
    })
    if (opened.kind === 'go') {
      location.assign(opened.url)
      window.setTimeout(() => doing === 'pay' && end(undefined), maxLeavingMs)
      return
    }
    if (opened.kind === 'wait') {
      wait(opened.seconds)
      // The shop has extended the time to pay.
      return onStale()
    }
    if (opened.kind === 'no-address') {
      // The address was erased in another tab.
      end(undefined)
      shown.take({ ...order, delivery: 'missing' })
      return pay()
    }
    end(opened.trouble)
    onStale()
  }

  /** Asks for an address. Returns false if none was stored. */
  async function addressBeforePayment(order: OrderView): Promise<boolean> {
    const save = isBilledFirst(order) ? 'address.save' : 'address.saveAndPay'
    const { order: changed, trouble: reason } = await address.change(order, save)
    if (changed === undefined) {
      end(reason)
      focusOn('pay')
      return false
    }
    shown.take(changed)
    return true
  }

  async function onAddress(name: 'change-address' | 'erase-address'): Promise<void> {
    const order = shown.order()
    if (order === undefined || doing !== undefined) return
    begin(name)
    const done = await (name === 'change-address' ? address.change(order, 'address.save') : address.erase(order))
    end(done.trouble)
    if (done.order !== undefined && !shown.take(done.order)) shown.draw()
    // The delivery costs depend on the country.
    if (order.bill !== undefined) onStale()
    focusOn(name)
  }

  async function cancel(): Promise<void> {
    const order = shown.order()
    if (order === undefined || doing !== undefined) return
    stopWaiting()
    shown.draw()
    if (!(await isConfirmed(voice, order, card))) return
    begin('give-back')
    const given = await requestCancel(fetch, order.orderId)
    end(given.kind === 'done' ? undefined : given.trouble)
    if (given.kind === 'done') shown.take(given.order)
    else onStale()
  }

  return {
    handlers: {
      pay: () => void (waiting === undefined && pay()),
      'give-back': () => void cancel(),
      'change-address': () => void onAddress('change-address'),
      'erase-address': () => void onAddress('erase-address'),
    },
    /** Reads the delivery address if it has changed. */
    followAddress: (order: OrderView) => void address.follow(order),
    seen: () => ({ doing, trouble, waitSeconds: waiting?.seconds, address: address.seen() }),
    forgetTrouble(): void {
      trouble = undefined
      stopWaiting()
    },
    /** Stops the wait and the current action. */
    stop(): void {
      stopWaiting()
      if (doing !== undefined) end(undefined)
    },
  }
}

/** Restores the focus after a dialog, because the page was redrawn below it. */
function focusOn(id: OrderTask): void {
  const control = document.getElementById(id) ?? document.getElementById('order-title')
  control?.focus({ preventScroll: true })
}

async function isConfirmed(voice: OrdersVoice, { quantity, payment }: OrderView, card: SaleCard): Promise<boolean> {
  const said = [
    voice.t('cancel.text', { n: quantity, title: isolated(card.titleIn(voice.language())) }),
    voice.t(payment === 'started' ? 'cancel.paying' : 'order.money.none'),
  ]
  const yes = { value: 'yes', label: voice.t('order.cancel'), kind: 'danger' } as const
  return (await askFirst(voice.t('cancel.title'), said, [yes], voice.t('cancel.no'))) === 'yes'
}

/** `order` is the changed order; absent if nothing changed. */
type Done = { order?: OrderView; trouble?: Trouble }

/** The wait before a retry, ms. */
const retryMs = 3000

function addressWork({ voice, fetch }: { voice: OrdersVoice; fetch: Fetch }, draw: () => void) {
  let view: DeliveryView | undefined
  /** The id, status and delivery state for which `view` was read. */
  let readFor = ''

  /** Reads the delivery if the order's delivery or status has changed. */
  async function follow(order: OrderView): Promise<void> {
    const { orderId, status, delivery } = order
    const key = `${orderId} ${status} ${delivery}`
    if (delivery === undefined || key === readFor) return
    readFor = key
    const found = await findDelivery(fetch, orderId)
    if (found !== undefined) view = found
    else if (readFor === key) {
      readFor = ''
      // Retry here, because the page may not poll a paid order.
      setTimeout(() => readFor === '' && void follow(order), retryMs)
    }
    draw()
  }

  /** Opens the form with the address from the shop. */
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
    // Only the shop knows the delivery costs of the new address.
    const bill = order.status === 'awaiting-payment' && order.bill && { ...order.bill, delivery: null }
    return { ...order, delivery, ...(bill && { bill: { ...bill, total: bill.goods } }) }
  }

  return { seen: () => view, follow, change, erase }
}
