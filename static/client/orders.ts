/** The order page: one order with `?id=`, else the list. Looks again until nothing is still being written. */
import { parseOrderId } from '../../core/ids.ts'
import type { OrderView } from '../../core/order.ts'
import { ordersMessages } from '../messages/orders.ts'
import { problemKey } from '../messages/problems.ts'
import { localNow } from './clock.ts'
import { byId, make, setText } from './dom.ts'
import { call, type Reply } from './http.ts'
import { drawOrders, type ListedOrder } from './orders/list.ts'
import { drawOrder, tickOrder } from './orders/one.ts'
import { saleCard } from './orders/sale-card.ts'
import { nextOrderPollMs } from './orders/steps.ts'
import { signInPath } from './return-path.ts'
import { shopOffsetMs } from './shop-clock.ts'
import { startVoice } from './voice.ts'
import { readOrder, readOrders } from './wire.ts'

const voice = startVoice(ordersMessages)
const place = byId('orders', HTMLElement)
const status = byId('status', HTMLElement)
const fetch = window.fetch.bind(window)
const wanted = new URLSearchParams(location.search).get('id')
const orderId = parseOrderId(wanted)

let offsetMs = 0
let attempt = 0
let redraw: () => void = () => undefined
let tick: () => void = () => undefined
const now = () => localNow() + offsetMs

function show(element: HTMLElement): void {
  place.removeAttribute('aria-busy')
  place.replaceChildren(element)
}

/** True when the page is final and needs no further look. */
async function look(): Promise<boolean> {
  const path = orderId === undefined ? '/api/orders' : `/api/orders/${encodeURIComponent(orderId)}`
  const reply = await call(fetch, path)
  if (reply.kind !== 'ok') return explain(reply)
  setText(status, '')
  return orderId === undefined ? showList(readOrders(reply.body) ?? []) : showOne(readOrder(reply.body))
}

async function showOne(order: OrderView | undefined): Promise<boolean> {
  if (order === undefined) return explain({ kind: 'lost' })
  const card = await saleCard(order.saleId)
  redraw = () => show(drawOrder(voice, order, card, now()))
  tick = () => tickOrder(voice, order, now())
  redraw()
  document.title = `${card.title} · Sluice`
  return order.status !== 'reserved'
}

async function showList(orders: readonly OrderView[]): Promise<boolean> {
  const listed = await Promise.all(
    orders.map(async (order): Promise<ListedOrder> => ({ order, card: await saleCard(order.saleId) })),
  )
  redraw = () => show(drawOrders(voice, listed))
  redraw()
  return orders.every((order) => order.status !== 'reserved')
}

function explain(reply: Exclude<Reply, { kind: 'ok' }>): boolean {
  const code = reply.kind === 'refused' ? reply.problem?.code : undefined
  if (code === 'sign-in-required') {
    const href = signInPath(location.pathname + location.search)
    return showNotice('orders.signIn', () => make('a', { class: 'button', href }, voice.t('nav.signIn')))
  }
  if (code === 'not-found' || code === 'invalid-request') return showNotice('problem.not-found')
  setText(status, code === 'unavailable' ? voice.t(problemKey(code)) : voice.t('orders.failed'))
  return false
}

/** What stands in the place of orders when there are none to show; final. */
function showNotice(key: 'orders.signIn' | 'problem.not-found', next?: () => Node): true {
  setText(status, '')
  redraw = () => {
    const words = make('div', { class: 'empty' }, make('p', {}, voice.t(key)), next?.())
    show(make('section', {}, make('h1', {}, voice.t('orders.title')), words))
  }
  redraw()
  return true
}

async function follow(): Promise<void> {
  const done = await look()
  attempt += 1
  if (!done) window.setTimeout(follow, nextOrderPollMs(attempt))
}

voice.onChange(() => redraw())
window.setInterval(() => tick(), 1000)
if (wanted !== null && orderId === undefined) showNotice('problem.not-found')
else void follow()
offsetMs = (await shopOffsetMs(fetch, 1)) ?? 0
