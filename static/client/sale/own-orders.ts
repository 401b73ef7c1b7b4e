/**
 * The shopper's own orders of a sale, as far as this browser knows. Only who has won here is looked
 * up when the page opens again, so that the look-ups follow the stock and not the crowd.
 */
import { boughtIn, ordersIn } from '../../../client/purchase.ts'
import type { Store } from '../buy/pending-click.ts'
import { call, type Fetch } from '../lib/http.ts'
import { fieldsInText } from '../lib/wire.ts'

/** The newest order that still holds units, and the units of all of them. */
export type Owned = { orderId: string; quantity: number }

/**
 * `who` is the name that is signed in, null without one: another shopper on this device has other
 * orders.
 */
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
      const { who: owner, orderId, quantity } = fieldsInText(store.getItem(name)) ?? {}
      if (typeof orderId !== 'string' || typeof quantity !== 'number') return undefined
      return owner === null || owner !== who() ? undefined : { orderId, quantity }
    },
    /** Asks the shop, which lists the newest first, and remembers its answer; `unknown` without one. */
    async look(): Promise<Owned | undefined | 'unknown'> {
      const reply = await call(fetch, `/api/orders?sale=${saleId}`)
      const orders = reply.kind === 'ok' ? ordersIn(reply.body) : undefined
      if (orders === undefined) return 'unknown'
      const standing = orders.filter((one) => boughtIn(one, true)?.kind === 'won')
      const [newest] = standing
      const quantity = standing.reduce((sum, order) => sum + order.quantity, 0)
      const owned = newest && { orderId: newest.orderId, quantity }
      remember(owned)
      return owned
    },
  }
}
