/** What the shopper does with an order on its page, and what became of the last press. */
import type { Fetch } from '../../client/http.ts'
import type { DeliveryView } from '../../core/api/delivery.ts'
import type { OrderView } from '../../core/api/shop.ts'
import { isolated } from '../../core/lib/text.ts'
import { askFirst } from '../../web/confirm.ts'
import type { SaleCard } from '../../web/sale-card.ts'
import { askAddress } from './address-form.ts'
import { isBilledFirst, isTotalOpen } from './bill.ts'
import { eraseContact, eraseDelivery, findDelivery, giveBack, openPayment, type Trouble } from './order-calls.ts'
import type { OrderTask } from './order-headline.ts'
import type { OrdersVoice } from './orders-voice.ts'

/** How long the button rests when the browser should leave for another page, ms: one that stays does not report it. */
const leavingMs = 10_000

/** `doubt` reports that the order may not be what the page shows. */
type Ports = { voice: OrdersVoice; fetch: Fetch; doubt(): void }

/** The order on the page: `take` shows a newer one, `draw` shows what changed here. */
type Shown = { order(): OrderView | undefined; take(fresh: OrderView): boolean; draw(): void }

/** One thing is done at a time: a press during another one is ignored. */
export function orderWork({ voice, fetch, doubt }: Ports, card: SaleCard, shown: Shown) {
  let doing: OrderTask | undefined
  let trouble: Trouble | undefined
  /** `seconds` after the press the payment page opens by itself. */
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
      // The payment page opens only once the form of the address is closed.
      begin('change-address')
      if (!(await addressBeforePayment(order))) return
      if (isBilledFirst(order)) {
        // The total is known now, and is shown before the shopper orders.
        end(undefined)
        doubt()
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
      window.setTimeout(() => doing === 'pay' && end(undefined), leavingMs)
      return
    }
    if (opened.kind === 'wait') {
      wait(opened.seconds)
      // Its time to pay is longer now.
      return doubt()
    }
    if (opened.kind === 'no-address') {
      // It was erased on another page.
      end(undefined)
      shown.take({ ...order, delivery: 'missing' })
      return pay()
    }
    end(opened.trouble)
    doubt()
  }

  /** False when none is stored; the press is then done with. */
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
    // Another country may have another delivery cost.
    if (order.bill !== undefined) doubt()
    focusOn(name)
  }

  async function giveItBack(): Promise<void> {
    const order = shown.order()
    if (order === undefined || doing !== undefined) return
    stopWaiting()
    shown.draw()
    if (!(await isMeant(voice, order, card))) return
    begin('give-back')
    const given = await giveBack(fetch, order.orderId)
    end(given.kind === 'done' ? undefined : given.trouble)
    if (given.kind === 'done') shown.take(given.order)
    else doubt()
  }

  return {
    handlers: {
      pay: () => void (waiting === undefined && pay()),
      'give-back': () => void giveItBack(),
      'change-address': () => void onAddress('change-address'),
      'erase-address': () => void onAddress('erase-address'),
    },
    /** Reads the delivery of the order where that has changed. */
    followAddress: (order: OrderView) => void address.follow(order),
    seen: () => ({ doing, trouble, waitSeconds: waiting?.seconds, address: address.seen() }),
    forgetTrouble(): void {
      trouble = undefined
      stopWaiting()
    },
    /** Ends the wait and the work under way. */
    stop(): void {
      stopWaiting()
      if (doing !== undefined) end(undefined)
    },
  }
}

/** The page was drawn again below a dialog, so the browser cannot return the focus by itself. */
function focusOn(id: OrderTask): void {
  const control = document.getElementById(id) ?? document.getElementById('order-title')
  control?.focus({ preventScroll: true })
}

async function isMeant(voice: OrdersVoice, { quantity, payment }: OrderView, card: SaleCard): Promise<boolean> {
  const said = [
    voice.t('giveBack.text', { n: quantity, title: isolated(card.titleIn(voice.language())) }),
    voice.t(payment === 'started' ? 'giveBack.paying' : 'order.money.none'),
  ]
  const yes = { value: 'yes', label: voice.t('order.giveBack'), kind: 'danger' } as const
  return (await askFirst(voice.t('giveBack.title'), said, [yes], voice.t('giveBack.no'))) === 'yes'
}

/** `order` is the order as it stands then; absent where nothing changed. */
type Done = { order?: OrderView; trouble?: Trouble }

/** After an answer that failed. */
const againMs = 3000

function addressWork({ voice, fetch }: { voice: OrdersVoice; fetch: Fetch }, draw: () => void) {
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
