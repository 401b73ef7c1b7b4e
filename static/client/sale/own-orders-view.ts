/** What the shopper has of a sale, and how much more the limit allows. */

import { orderPath, ordersPath } from '../../../core/orders/order-path.ts'
import type { saleMessages } from '../../messages/catalogues.ts'
import type { Outcome } from '../buy/buy.ts'
import { byId, openStore } from '../lib/dom.ts'
import type { Fetch } from '../lib/http.ts'
import { whoIsHere } from '../people/signed-in.ts'
import { type News, toOrder } from './news.ts'
import type { Opening } from './opening.ts'
import { type Owned, ownOrders } from './own-orders.ts'

type Page = Pick<Opening<keyof typeof saleMessages>, 'saleId' | 'showNews' | 'render'> & {
  news(): News<string> | undefined
}

/** Shows it on the page; `purchase.owns` is true while the shopper has as many as the limit allows. */
export function ownOrdersView(fetch: Fetch, opening: Page, purchase: { owns: boolean }) {
  const limit = Number(byId('main').dataset.limit)
  const own = ownOrders({ fetch, store: openStore('localStorage'), who: whoIsHere }, opening.saleId)

  /** Waiting changes nothing for a shopper who has as many as the limit allows. */
  function show(owned: Owned | undefined): void {
    purchase.owns = owned !== undefined && owned.quantity >= limit
    const key = purchase.owns ? 'problem.limit-reached' : 'status.owned'
    const shown = opening.news()?.key
    if (owned !== undefined) opening.showNews({ key, link: toOrder(owned.orderId) })
    else if (shown === 'status.owned' || shown === 'problem.limit-reached') opening.showNews(undefined)
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
