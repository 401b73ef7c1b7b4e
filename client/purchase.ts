/** Purchases, and the orders that they become. */
import { type ClickOptions, click, type Unwon } from './click.ts'
import type { Connection } from './connection.ts'
import type { Order, OrderPage } from './types.ts'

/** Either `quantity` units, one unless given, or in a sale with variants a `basket` of them by their ids. */
export type BuyOptions = ClickOptions & { quantity?: number; basket?: Readonly<Record<string, number>> }

/** `won`: the units are the shopper's. `gone`: an earlier try won, and that order has ended since. */
export type Purchase =
  | { kind: 'won'; orderId: string; quantity: number; repeat: boolean; key: string }
  | { kind: 'gone'; orderId: string; key: string }
  | Unwon

/** Statuses that nothing follows. */
const ended: ReadonlySet<string> = new Set(['cancelled', 'rejected', 'refunded', 'delivered'])
const held: ReadonlySet<string> = new Set([
  ...['reserved', 'awaiting-payment', 'paid', 'fulfilled', 'shipped', 'delivered'],
])

/** Clocks of shop and client agree to well within this. */
const slackMs = 3000

export function purchases(shop: Connection) {
  const { read, sleep, random } = shop

  const order = (orderId: string, signal?: AbortSignal) => read<Order>(`/api/orders/${orderId}`, { signal })

  return {
    /**
     * Buys goods or coupons, at most once, however many answers are lost.
     * @throws when `signal` is aborted; the outcome is open then
     */
    buy(saleId: string, { quantity = 1, basket, ...how }: BuyOptions = {}): Promise<Purchase> {
      type Bought = { orderId: string; status: string; quantity: number }
      const bought = ({ orderId, status, quantity: units }: Bought, repeat: boolean) =>
        held.has(status)
          ? ({ kind: 'won', orderId, quantity: units, repeat } as const)
          : ({ kind: 'gone', orderId } as const)
      return click(
        shop,
        saleId,
        {
          path: `/api/sales/${saleId}/orders`,
          body: basket ? { basket } : { quantity },
          read: (body, isRepeat) => bought(body as Bought, isRepeat),
          async find(lookup = `/api/orders?sale=${saleId}`, since) {
            const { orders } = await read<OrderPage>(lookup, { signal: how.signal })
            const recent = orders.filter((one) => one.saleId === saleId && one.reservedAt >= since - slackMs)
            const found = recent.find(({ status }) => held.has(status)) ?? recent[0]
            return found && bought(found, true)
          },
        },
        how,
      )
    },

    order,

    /** The order now, and again whenever it has changed, until nothing can follow. */
    async *changes(orderId: string, signal?: AbortSignal): AsyncGenerator<Order, void> {
      let before = ''
      let idleMs = 1000
      for (;;) {
        const seen = await order(orderId, signal)
        const text = JSON.stringify(seen)
        if (text !== before) yield seen
        idleMs = text === before ? Math.min(2 * idleMs, 15_000) : 1000
        before = text
        if (ended.has(seen.status)) return
        await sleep(idleMs + 500 * random(), signal)
      }
    },

    /** Where to pay. Repeating it is safe: while a payment is under way it gives the same page. */
    pay: (orderId: string, signal?: AbortSignal) =>
      read<{ url: string; paymentId: string }>(`/api/orders/${orderId}/pay`, { body: {}, signal }),

    /** Cancels an order that is not paid; repeating it is safe. */
    cancel: (orderId: string, signal?: AbortSignal) =>
      read<Order>(`/api/orders/${orderId}/cancel`, { body: {}, signal }),
  }
}
