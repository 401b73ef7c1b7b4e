/** Purchases, and the steps of the orders that they become. */
import { type ClickOptions, click, type Find, type Unwon } from './click.ts'
import type { Connection } from './connection.ts'
import { heldWait } from './held-wait.ts'
import type { Order, OrderPage } from './types.ts'

/** `quantity` units, one unless given; in a sale with variants of the `variant` with that id. */
export type BuyOptions = ClickOptions & {
  quantity?: number
  variant?: string
}

/** `won`: the units are the shopper's. `gone`: an earlier try won, and that order has ended since. */
export type Bought =
  | { kind: 'won'; orderId: string; quantity: number; repeat: boolean }
  | { kind: 'gone'; orderId: string }

export type Purchase = (Bought & { key: string }) | Unwon

/** Statuses of orders without units. */
const without = /cancelled|rejected|refund/

/** Statuses that nothing follows. */
const ended = /cancelled|rejected|refunded|delivered/

/** Whether a step of the shop or the payment provider is on its way. */
const isAwaited = ({ status, payment }: Order) => /reserved|refund-due/.test(status) || payment === 'started'

/** Clocks of shop and client agree to well within this. */
const slackMs = 3000

/** The order in an answer; undefined for an answer without one. */
export function boughtIn(body: unknown, repeat: boolean): Bought | undefined {
  const { orderId, status = '', quantity } = (body ?? {}) as Partial<Order>
  if (typeof orderId !== 'string' || typeof quantity !== 'number') return undefined
  return quantity === 0 || without.test(status) ? { kind: 'gone', orderId } : { kind: 'won', orderId, quantity, repeat }
}

/** The orders in an answer that lists them. */
export function ordersIn(body: unknown): readonly Order[] | undefined {
  const orders = (body as Partial<OrderPage> | null)?.orders
  return Array.isArray(orders) ? orders : undefined
}

/** Looks for the order of a click. One that has ended is no answer to a refusal. `repeat` is what a found one says. */
export const findOrder = (saleId: string, repeat: boolean): Find<Bought> => ({
  path: (named) => named ?? `/api/orders?sale=${saleId}`,
  read(body, since, isRefused) {
    const orders = ordersIn(body)
    if (orders === undefined) return 'unread'
    const recent = orders
      .filter((one) => one.saleId === saleId && one.reservedAt >= since - slackMs)
      .map((one) => boughtIn(one, repeat))
    return recent.find((one) => one?.kind === 'won') ?? (isRefused ? undefined : recent[0])
  },
})

export function purchases(shop: Connection) {
  const { read, often, sleep, random } = shop

  return {
    /** Buys goods or coupons, at most once, also after lost answers. @throws when `signal` is aborted, with an open outcome */
    buy(saleId: string, { quantity = 1, variant, ...how }: BuyOptions = {}): Promise<Purchase> {
      return click(
        shop,
        {
          saleId,
          path: `/api/sales/${saleId}/orders`,
          body: { quantity, variant },
          read: (body, status) => boughtIn(body, status === 200),
          find: findOrder(saleId, true),
        },
        how,
      )
    },

    /** The order now. */
    order: (orderId: string, signal?: AbortSignal) => read<Order>(`/api/orders/${orderId}`, { signal }),

    /** Where to pay. Repeating it is safe: while a payment is under way it gives the same page. */
    pay: (orderId: string, signal?: AbortSignal) =>
      read<{ url: string; paymentId: string }>(`/api/orders/${orderId}/pay`, { body: {}, signal }),

    /** The order now, and again whenever it has changed, until nothing can follow. */
    async *changes(orderId: string, signal?: AbortSignal): AsyncGenerator<Order, void> {
      const wait = heldWait()
      let before: string | undefined
      let steps: number | undefined
      let idleMs = 0
      for (;;) {
        const path = `/api/changes?order=${orderId}&after=${steps}`
        const held = steps && (await wait.ask(() => often(path, { signal }, 1)))
        const seen = held ? (held.body as Order) : await read<Order>(`/api/orders/${orderId}`, { signal })
        const text = JSON.stringify(seen)
        const isNew = text !== before
        if (isNew) yield seen
        if (ended.test(seen.status)) return
        idleMs = isNew ? 1000 : Math.min(2 * idleMs, 15_000)
        before = text
        const heldMs = isAwaited(seen) ? wait.nextMs(isNew, random()) : undefined
        steps = heldMs && seen.history.length
        await sleep(heldMs ?? idleMs + 500 * random(), signal)
      }
    },
  }
}
