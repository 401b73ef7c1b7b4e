/** Runs the orders page: one order with `?id=`, or the list. Polls while an order may change. */
import { heldWait } from '../client/held-wait.ts'
import type { Reply } from '../client/http.ts'
import type { OrderListPage, OrderView } from '../core/api/shop.ts'
import { parseOrderId } from '../core/ids.ts'
import { ordersPath, paidHash } from '../core/orders/order-path.ts'
import { isAwaited, nextOrderPollMs, orderRetryMs } from '../core/orders/order-poll.ts'
import { isPayable, stageOf } from '../core/orders/order-stage.ts'
import { signInPath } from '../core/people/sign-in-paths.ts'
import type { ordersMessages } from '../templates/messages/catalogues.ts'
import { problemKey } from '../templates/messages/codes.ts'
import { ordersPatterns } from '../templates/messages/page-patterns.ts'
import { localNow, sampleIn, shopClock } from '../web/clock.ts'
import { byId, make, setText } from '../web/dom.ts'
import { call } from '../web/http.ts'
import { loadModule } from '../web/load-module.ts'
import { pageVoice } from '../web/page-voice.ts'
import { noticeOf } from '../web/parts.ts'
import { redrawer } from '../web/redraw.ts'
import { saleCard } from '../web/sale-card.ts'
import { readOrderPage } from '../web/wire.ts'
import { isBilledFirst, readBilledOrder } from './orders/bill.ts'
import { drawOrders, type OrderWithSale, orderPages } from './orders/order-list.ts'
import { createOrderScreen, type OrderScreen } from './orders/order-screen.ts'
import { pollWhileSeen } from './orders/poll-while-seen.ts'

const voice = await pageVoice<keyof typeof ordersMessages>('orders', ordersPatterns)
const place = byId('orders')
const status = byId('status')
const announcements = byId('announcements')
const wanted = new URLSearchParams(location.search).get('id')
const orderId = parseOrderId(wanted)

/** True after the return from the payment page, until the order shows the result. */
let isBack = location.hash === paidHash

/** True for a link with `#pay`, which continues to the payment page, but only once. */
let goesOnToPay = location.hash === '#pay'
if (goesOnToPay) history.replaceState(null, '', location.pathname + location.search)

const clock = shopClock(localNow)
const { now } = clock
let reads = 0
let held = heldWait()
/** The number of steps that the next held request sends; undefined to poll. */
let after: number | undefined
let own: OrderScreen | undefined
const pages = orderPages()
let isLoadingMore = false
let listSeen = ''
let redraw: () => void = () => undefined
const show = redrawer(place, 'order-title')

/** Reads the page's data and resolves with the milliseconds until the next read. A planned read may be a held request. */
async function read(isPlanned: boolean): Promise<number | undefined> {
  if (isPlanned && after !== undefined) return readHeld(`/api/changes?order=${orderId}&after=${after}`)
  after = undefined
  const path = orderId === undefined ? '/api/orders' : `/api/orders/${encodeURIComponent(orderId)}`
  const sentAt = localNow()
  const reply = await call(fetch, path)
  reads += 1
  if (reply.kind !== 'ok') return explain(reply)
  clock.take(sampleIn(reply.headers, sentAt))
  ownData.hidden = orderId !== undefined
  setText(status, '')
  return orderId === undefined ? takeList(readOrderPage(reply.body)) : showOne(readBilledOrder(reply.body))
}

/** Sends a held request. Its answer is no sample for the clock. */
async function readHeld(path: string): Promise<number | undefined> {
  const reply = await held.ask(() => call(fetch, path))
  if (reply === undefined) return read(false)
  reads += 1
  setText(status, '')
  return showOne(readBilledOrder(reply.body))
}

async function showOne(order: OrderView | undefined): Promise<number | undefined> {
  if (order === undefined) return explain({ kind: 'lost' })
  if (own === undefined) {
    const card = await saleCard(order.saleId)
    const announce = (...nodes: Node[]) => announcements.replaceChildren(...nodes)
    own = createOrderScreen(
      { voice, fetch, isBack: () => isBack, now, show, announce, onStale: () => watch.now() },
      card,
    )
    // Only the page's part of the title; the name of the shop stays.
    const nameTab = () => {
      document.title = document.title.replace(voice.t('orders.pageTitle'), () => card.titleIn(voice.language()))
    }
    nameTab()
    voice.onChange(nameTab)
  }
  const isNew = own.take(order)
  if (isNew) reads = 0
  redraw = own.draw
  const stage = own.stage()
  if (isBack && stage !== 'checking' && stage !== 'reserved') {
    isBack = false
    history.replaceState(null, '', location.pathname + location.search)
  }
  if (goesOnToPay && stage !== 'reserved') {
    goesOnToPay = false
    if (stage !== undefined && isPayable(stage) && !isBilledFirst(order)) own.pay()
  }
  if (stage === undefined) return undefined
  const heldMs = isAwaited(stage) ? held.nextMs(isNew, Math.random()) : undefined
  after = heldMs && order.history.length
  return heldMs ?? nextOrderPollMs([stage], reads, Math.random())
}

async function takeList(page: OrderListPage | undefined): Promise<number | undefined> {
  if (page === undefined) return explain({ kind: 'lost' })
  pages.takeFirst(page)
  await showList()
  const stages = pages.orders().map((order) => stageOf(order, now()))
  return nextOrderPollMs(stages, reads, Math.random())
}

async function showList(): Promise<void> {
  const orders = pages.orders()
  const listed = await Promise.all(
    orders.map(async (order): Promise<OrderWithSale> => ({ order, card: await saleCard(order.saleId) })),
  )
  const more = pages.next() === null ? undefined : { isBusy: isLoadingMore, load: () => void loadMore() }
  const seen = JSON.stringify([listed, more])
  redraw = () => show(drawOrders(voice, listed, more))
  if (seen !== listSeen) {
    redraw()
    reads = 0
  }
  listSeen = seen
}

async function loadMore(): Promise<void> {
  const cursor = pages.next()
  if (cursor === null || isLoadingMore) return
  isLoadingMore = true
  await showList()
  const reply = await call(fetch, `/api/orders?after=${encodeURIComponent(cursor)}`)
  isLoadingMore = false
  const page = reply.kind === 'ok' ? readOrderPage(reply.body) : undefined
  if (page === undefined) explain(reply.kind === 'ok' ? { kind: 'lost' } : reply)
  else pages.takeMore(cursor, page)
  // After a notice there are no orders to show.
  if (pages.orders().length > 0) await showList()
}

function explain(reply: Exclude<Reply, { kind: 'ok' }>): number | undefined {
  const code = reply.problem?.code
  if (code === 'sign-in-required') {
    const href = signInPath(location.pathname + location.search)
    return showNotice('orders.signIn', () => make('a', { class: 'button', href }, voice.t('nav.signIn')))
  }
  if (code === 'blocked' && own === undefined) return showNotice('problem.blocked')
  const isMissing = code === 'not-found' || code === 'invalid-request'
  if (isMissing && own === undefined) return showNotice('problem.not-found', toAll)
  // An order that this page has shown is on its way to the table, even if Redis lost it.
  const key = code === 'unavailable' || code === 'blocked' ? problemKey(code) : 'orders.failed'
  setText(status, voice.t(isMissing ? 'orders.missing' : key))
  return orderRetryMs(reads, reply.retryAfterSeconds, Math.random())
}

const toAll = () => make('a', { class: 'button button--plain', href: ordersPath }, voice.t('order.all'))

/** Shows a notice instead of the orders, and stops polling. */
function showNotice(key: 'orders.signIn' | 'problem.not-found' | 'problem.blocked', next?: () => Node): undefined {
  setText(status, '')
  own = undefined
  pages.clear()
  listSeen = ''
  redraw = () => show(noticeOf(voice.t('orders.title'), voice.t(key), next?.()))
  redraw()
}

/** The section “Your data” for signed-in shoppers, whose script loads when it opens. */
const ownData = byId('own-data', HTMLDetailsElement)
ownData.addEventListener('toggle', async () => {
  if (!ownData.open) return
  const script = await loadModule<typeof import('./own-data.ts')>(byId('main').dataset.ownDataScript ?? '')
  if (!(await script?.showOwnData())) setText(byId('own-data-place'), voice.t('orders.failed'))
})

const watch = pollWhileSeen({ read, hidden: () => document.hidden })

/** Reads again after the page was hidden. The device may have slept, so its clock is not trusted. */
function resume(): void {
  clock.doubt()
  reads = 0
  held = heldWait()
  watch.now()
}

voice.onChange(() => redraw())
window.setInterval(() => own?.tick(), 1000)
if (wanted !== null && orderId === undefined) showNotice('problem.not-found', toAll)
else {
  watch.now()
  document.addEventListener('visibilitychange', () => (document.hidden ? watch.rest() : resume()))
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    own?.returned()
    resume()
  })
}
