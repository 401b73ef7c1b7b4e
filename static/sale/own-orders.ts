/** Finds the shopper's orders of a sale, and shows how many more units the limit allows. */
import type { Fetch } from '../../client/http.ts'
import { parseBought, parseOrderList } from '../../client/purchase.ts'
import { orderPath, ordersPath } from '../../core/orders/order-path.ts'
import type { saleMessages } from '../../templates/messages/catalogues.ts'
import { byId, openStore } from '../../web/dom.ts'
import { call } from '../../web/http.ts'
import { whoIsHere } from '../../web/signed-in.ts'
import type { Voice } from '../../web/voice.ts'
import { fieldsInText } from '../../web/wire.ts'
import type { BuyOutcome } from '../buy/buy.ts'
import type { Store } from '../buy/click.ts'
import { type News, toOrder } from './news.ts'
import type { Opening } from './opening.ts'

/** The id of the newest order with units, the units of all orders, and the time to pay the newest by, epoch ms. */
type Owned = { orderId: string; quantity: number; payBy?: number | undefined }

/** `who` returns the signed-in name, because shoppers may share a device. */
type Ports = { fetch: Fetch; store: Store; who: () => string | null }

/** Reads and remembers the orders of `saleId`. */
export function ownOrders({ fetch, store, who }: Ports, saleId: string) {
  const name = `sluice.own-orders.${saleId}`

  function remember(owned: Owned | undefined): void {
    if (owned === undefined) store.removeItem(name)
    else store.setItem(name, JSON.stringify({ ...owned, who: who() }))
  }

  return {
    remember,
    /** Returns the remembered orders of the signed-in shopper. */
    remembered(): Owned | undefined {
      const { who: owner, orderId, quantity, payBy } = fieldsInText(store.getItem(name)) ?? {}
      if (typeof orderId !== 'string' || typeof quantity !== 'number') return undefined
      if (owner === null || owner !== who()) return undefined
      return { orderId, quantity, ...(typeof payBy === 'number' && { payBy }) }
    },
    /** Reads the orders and remembers them; `unknown` without an answer. */
    async read(): Promise<Owned | undefined | 'unknown'> {
      const reply = await call(fetch, `/api/orders?sale=${saleId}`)
      const orders = reply.kind === 'ok' ? parseOrderList(reply.body) : undefined
      if (orders === undefined) return 'unknown'
      const activeOrders = orders.filter((one) => parseBought(one, true)?.kind === 'won')
      const [newest] = activeOrders
      const quantity = activeOrders.reduce((sum, order) => sum + order.quantity, 0)
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

/** Returns the news about the shopper's units and the time to pay by, with the day if it is over half a day away. */
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

/** Shows the shopper's orders. Sets `purchase.owns` while the shopper has as many units as the limit allows. */
export function ownOrdersView(
  fetch: Fetch,
  opening: Page,
  purchase: { owns: boolean },
  voice: Pick<Voice<never>, 'locale' | 'shortMoment'>,
) {
  const limit = Number(byId('main').dataset.limit)
  const own = ownOrders({ fetch, store: openStore('localStorage'), who: whoIsHere }, opening.saleId)

  /** Shows the orders. At the limit the button leads to the order. */
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
    /** Opens the order, or all orders if this browser does not know it. */
    leave(): void {
      const owned = own.remembered()
      location.assign(owned === undefined ? ordersPath : orderPath(owned.orderId))
    },
    /** Remembers the order of a click and opens it. */
    won({ orderId, repeat }: Extract<BuyOutcome, { kind: 'won' }>, quantity: number): void {
      const before = repeat ? 0 : (own.remembered()?.quantity ?? 0)
      own.remember({ orderId, quantity: before + quantity })
      window.setTimeout(() => location.assign(orderPath(orderId)), 900)
    },
    /** Shows why the limit was reached. */
    async atLimit(): Promise<void> {
      // A limit of one needs no numbers, and reading the orders takes time.
      purchase.owns = limit === 1
      opening.render()
      const owned = await own.read()
      if (owned === 'unknown' || owned === undefined) return
      show(owned)
      if (purchase.owns) return
      const args = { limit, held: owned.quantity, left: limit - owned.quantity }
      opening.showNews({ key: 'status.limitLeft', args, link: toOrder(owned.orderId) })
    },
    /** Shows the order of a shopper who has won before. Reads it again, because it may have been cancelled. */
    async showEarlier(): Promise<void> {
      const remembered = own.remembered()
      if (remembered === undefined) return
      show(remembered)
      const owned = await own.read()
      if (owned !== 'unknown') show(owned)
    },
  }
}
