/** Shows the redeemable coupon codes in the wallet. The page loads it once the section “Coupons” is opened. */
import type { OrderView } from '../core/api/shop.ts'
import type { Language } from '../core/language.ts'
import { orderPath } from '../core/orders/order-path.ts'
import { stageOf } from '../core/orders/order-stage.ts'
import { localeFor } from '../templates/messages/language.ts'
import { words } from '../templates/messages/text.ts'
import { momentText } from '../templates/messages/time-text.ts'
import { localNow, sampleIn, shopClock } from '../web/clock.ts'
import { byId, make } from '../web/dom.ts'
import { call } from '../web/http.ts'
import { loadWords } from '../web/load-module.ts'
import { saleCard } from '../web/sale-card.ts'
import { readOrderPage } from '../web/wire.ts'
import { type CouponVoice, drawCodes } from './orders/coupons.ts'

const language = (): Language => document.documentElement.lang
const voice: CouponVoice = {
  t: (key, args) => words(key, language(), args),
  farMoment: (ms) => momentText(ms, localeFor(language(), navigator.languages), { zone: true, year: true }),
}
const clock = shopClock(localNow)

/** Orders for each request. */
const pageSize = 50

/** Fills the section. Returns false if its words cannot be loaded. */
export async function showCoupons(): Promise<boolean> {
  if (!(await loadWords('wallet-coupons', language()))) return false
  const orders = await readAllOrders()
  const good = orders?.filter(canRedeem)
  const drawn =
    good === undefined || good.length === 0
      ? [make('p', { role: 'status' }, voice.t(good === undefined ? 'coupon.failed' : 'coupon.none'))]
      : await Promise.all(good.map(drawOrder))
  byId('coupons-place').replaceChildren(...drawn)
  return true
}

/** Reads all orders of the shopper; undefined after a failure. */
async function readAllOrders(): Promise<OrderView[] | undefined> {
  const orders = new Map<string, OrderView>()
  for (let after: string | null = ''; after !== null; ) {
    const sentAt = localNow()
    const from: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`
    const reply = await call(fetch, `/api/orders?limit=${pageSize}${from}`)
    const page = reply.kind === 'ok' ? readOrderPage(reply.body) : undefined
    if (reply.kind !== 'ok' || page === undefined) return undefined
    clock.take(sampleIn(reply.headers, sentAt))
    for (const order of page.orders) orders.set(order.orderId, order)
    after = page.next
  }
  return [...orders.values()]
}

const canRedeem = (order: OrderView): boolean =>
  stageOf(order, clock.now()) === 'fulfilled' &&
  (order.coupons ?? []).some((code) => order.redeemed?.includes(code) !== true)

async function drawOrder(order: OrderView): Promise<HTMLElement> {
  const { orderId, saleId } = order
  const { titleIn } = await saleCard(saleId)
  return make(
    'section',
    { class: 'wallet-coupon stack', 'data-order-id': orderId },
    make('h2', {}, make('a', { href: orderPath(orderId), dir: 'auto' }, titleIn(language()))),
    ...drawCodes(voice, order, stageOf(order, clock.now()), `-${orderId}`),
  )
}
