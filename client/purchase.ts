/** Buys units, and follows the order until it is delivered or ended. */
import { type ClickOptions, click, type Lookup, type Unwon } from './click.ts'
import type { Connection } from './connection.ts'
import { heldWait } from './held-wait.ts'
import type { Order, OrderPage } from './types.ts'

/** `quantity` is 1 by default. `variant` is the id of a variant, in a sale that has variants. */
export type BuyOptions = ClickOptions & {
  quantity?: number
  variant?: string
}

/** `won`: the shopper has the units. `gone`: an earlier request won, and its order has ended since. */
export type Bought =
  | { kind: 'won'; orderId: string; quantity: number; repeat: boolean }
  | { kind: 'gone'; orderId: string }

export type Purchase = (Bought & { key: string }) | Unwon

/** Statuses of orders that hold no units. */
const withoutUnits = /cancelled|rejected|refund/

/** Final statuses. */
const ended = /cancelled|rejected|refunded|delivered/

/** True while the shop or the payment provider has a step to finish. */
const isAwaited = ({ status, payment }: Order) => /reserved|refund-due/.test(status) || payment === 'started'

/** The clocks of shop and client differ by less, ms. */
const slackMs = 3000

/** Returns the order in an answer; undefined for an answer without one. */
export function parseBought(body: unknown, repeat: boolean): Bought | undefined {
  const { orderId, status = '', quantity } = (body ?? {}) as Partial<Order>
  if (typeof orderId !== 'string' || typeof quantity !== 'number') return undefined
  return quantity === 0 || withoutUnits.test(status)
    ? { kind: 'gone', orderId }
    : { kind: 'won', orderId, quantity, repeat }
}

/** Returns the orders in an answer; undefined for an answer without a list. */
export function parseOrderList(body: unknown): readonly Order[] | undefined {
  const orders = (body as Partial<OrderPage> | null)?.orders
  return Array.isArray(orders) ? orders : undefined
}

/**
 * Finds the order of a click. After a refusal, an order that has ended does not count. `repeat` is passed to the result.
 */
export const findOrder = (saleId: string, { repeat }: { repeat: boolean }): Lookup<Bought> => ({
  path: (named) => named ?? `/api/orders?sale=${saleId}`,
  read(body, since, isRefused) {
    const orders = parseOrderList(body)
    if (orders === undefined) return 'unread'
    const recent = orders
      .filter((one) => one.saleId === saleId && one.reservedAt >= since - slackMs)
      .map((one) => parseBought(one, repeat))
    return recent.find((one) => one?.kind === 'won') ?? (isRefused ? undefined : recent[0])
  },
})

export function purchases(shop: Connection) {
  const { read, withRetries, sleep, random } = shop

  return {
    /**
     * Buys goods or coupons at most once, also after lost answers.
     * @throws when `signal` is aborted; the outcome is then unknown
     * @example
     * const purchase = await client.buy('sneaker-drop', { quantity: 2, variant: 'm' })
     * if (purchase.kind === 'refused') console.log(purchase.problem.code)
     */
    buy(saleId: string, { quantity = 1, variant, ...how }: BuyOptions = {}): Promise<Purchase> {
      return click(
        shop,
        {
          saleId,
          path: `/api/sales/${saleId}/orders`,
          body: { quantity, variant },
          read: (body, status) => parseBought(body, status === 200),
          find: findOrder(saleId, { repeat: true }),
        },
        how,
      )
    },

    /**
     * Returns an order.
     * @example
     * const { status, payBy } = await client.order(orderId)
     */
    order: (orderId: string, signal?: AbortSignal) => read<Order>(`/api/orders/${orderId}`, { signal }),

    /**
     * Starts a payment and returns its page. Idempotent: it returns the same page while the payment is in progress.
     * @example
     * location.assign((await client.pay(orderId)).url)
     */
    pay: (orderId: string, signal?: AbortSignal) =>
      read<{ url: string; paymentId: string }>(`/api/orders/${orderId}/pay`, { body: {}, signal }),

    /**
     * Yields the order now and after each change, until its status is final.
     * @example
     * for await (const { status } of client.changes(orderId)) console.log(status)
     */
    async *changes(orderId: string, signal?: AbortSignal): AsyncGenerator<Order, void> {
      const wait = heldWait()
      let before: string | undefined
      let steps: number | undefined
      let idleMs = 0
      for (;;) {
        const path = `/api/changes?order=${orderId}&after=${steps}`
        const held = steps && (await wait.ask(() => withRetries(path, { signal }, 1)))
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
