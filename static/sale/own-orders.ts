/** The shopper's own orders of a sale, as far as this browser knows, and how much more the limit allows. */
import type { Fetch } from '../../client/http.ts'
import { boughtIn, ordersIn } from '../../client/purchase.ts'
import { orderPath, ordersPath } from '../../core/orders/order-path.ts'
import type { saleMessages } from '../../templates/messages/catalogues.ts'
import { byId, openStore } from '../../web/dom.ts'
import { call } from '../../web/http.ts'
import { whoIsHere } from '../../web/signed-in.ts'
import type { Voice } from '../../web/voice.ts'
import { fieldsInText } from '../../web/wire.ts'
import type { Outcome } from '../buy/buy.ts'
import type { Store } from '../buy/click.ts'
import { type News, toOrder } from './news.ts'
import type { Opening } from './opening.ts'

/** The newest order that still holds units, the units of all of them, and until when that order is to be paid, epoch ms. */
type Owned = { orderId: string; quantity: number; payBy?: number | undefined }

/** `who` is the name that is signed in, null without one: another shopper on this device has other orders. */
type Ports = { fetch: Fetch; store: Store; who: () => string | null }

/** The orders of `saleId`. */
export function ownOrders({ fetch, store, who }: Ports, saleId: string) {
  const name = `sluice.own-orders.${saleId}`

  function remember(owned: Owned | undefined): void {
    if (owned === undefined) store.removeItem(name)
    else store.setItem(name, JSON.stringify({ ...owned, who: who() }))
  }

  return {
    remember,
    /** What was last known of the signed-in shopper. */
    remembered(): Owned | undefined {
      const { who: owner, orderId, quantity, payBy } = fieldsInText(store.getItem(name)) ?? {}
      if (typeof orderId !== 'string' || typeof quantity !== 'number') return undefined
      if (owner === null || owner !== who()) return undefined
      return { orderId, quantity, ...(typeof payBy === 'number' && { payBy }) }
    },
    /** Asks the shop, which lists the newest first, and remembers its answer; `unknown` without one. */
    async look(): Promise<Owned | undefined | 'unknown'> {
      const reply = await call(fetch, `/api/orders?sale=${saleId}`)
      const orders = reply.kind === 'ok' ? ordersIn(reply.body) : undefined
      if (orders === undefined) return 'unknown'
      const standing = orders.filter((one) => boughtIn(one, true)?.kind === 'won')
      const [newest] = standing
      const quantity = standing.reduce((sum, order) => sum + order.quantity, 0)
      const owned = newest && {
        orderId: newest.orderId,
        quantity,
        ...(newest.payBy !== null && { payBy: newest.payBy }),
      }
      remember(owned)
      return owned
    },
  }
}

const halfADayMs = 43_200_000

/** What a shopper has, and the time of day until which it is to be paid; later than half a day away, the day as well. */
export function newsOfOwned(
  { quantity, payBy }: Owned,
  now: number,
  voice: Pick<Voice<never>, 'locale' | 'shortMoment'>,
): News {
  if (payBy === undefined || payBy <= now) return { key: 'status.owned', args: { quantity } }
  const timeOfDay = new Intl.DateTimeFormat(voice.locale(), { hour: '2-digit', minute: '2-digit' })
  const time = payBy - now < halfADayMs ? timeOfDay.format(payBy) : voice.shortMoment(payBy)
  return { key: 'status.ownedToPay', args: { quantity, time } }
}

type Page = Pick<Opening<keyof typeof saleMessages>, 'saleId' | 'showNews' | 'render'> & {
  news(): News<string> | undefined
}

/**
 * What the shopper has of a sale, and how much more the limit allows. Shows it on the page; `purchase.owns` is true
 * while the shopper has as many as the limit allows.
 */
export function ownOrdersView(
  fetch: Fetch,
  opening: Page,
  purchase: { owns: boolean },
  voice: Pick<Voice<never>, 'locale' | 'shortMoment'>,
) {
  const limit = Number(byId('main').dataset.limit)
  const own = ownOrders({ fetch, store: openStore('localStorage'), who: whoIsHere }, opening.saleId)

  /** Waiting changes nothing for a shopper who has as many as the limit allows: then the button leads to the order. */
  function show(owned: Owned | undefined): void {
    purchase.owns = owned !== undefined && owned.quantity >= limit
    const shown = opening.news()?.key
    if (owned !== undefined) {
      const news = newsOfOwned(owned, Date.now(), voice)
      opening.showNews(purchase.owns ? news : { ...news, link: toOrder(owned.orderId) })
    } else if (shown?.startsWith('status.owned') || shown === 'problem.limit-reached') opening.showNews(undefined)
    opening.render()
  }

  return {
    /** Leads to the order, or to all orders when this browser does not know it. */
    leave(): void {
      const owned = own.remembered()
      location.assign(owned === undefined ? ordersPath : orderPath(owned.orderId))
    },
    /** Remembers the order of a click, and leads to it. */
    won({ orderId, repeat }: Extract<Outcome, { kind: 'won' }>, quantity: number): void {
      const before = repeat ? 0 : (own.remembered()?.quantity ?? 0)
      own.remember({ orderId, quantity: before + quantity })
      window.setTimeout(() => location.assign(orderPath(orderId)), 900)
    },
    /** Shows why the limit was reached: the shopper has that many, or asked for too many more. */
    async atLimit(): Promise<void> {
      // A limit of one needs no numbers, and the orders may take a moment to arrive.
      purchase.owns = limit === 1
      opening.render()
      const owned = await own.look()
      if (owned === 'unknown' || owned === undefined) return
      show(owned)
      if (purchase.owns) return
      const args = { limit, held: owned.quantity, left: limit - owned.quantity }
      opening.showNews({ key: 'status.limitLeft', args, link: toOrder(owned.orderId) })
    },
    /** Shows the order of a shopper who has won here before; it may have been cancelled since. */
    async look(): Promise<void> {
      const remembered = own.remembered()
      if (remembered === undefined) return
      show(remembered)
      const owned = await own.look()
      if (owned !== 'unknown') show(owned)
    },
  }
}
