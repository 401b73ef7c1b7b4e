/**
 * A client of the shop's API for shoppers. It keeps what a click needs: the start token of the sale, the pass, the
 * key that makes a repeat harmless, the waits that the shop asks for, and the look-up after a lost answer.
 */
import { claims } from './claim.ts'
import { type ClientOptions, connect } from './connection.ts'
import { purchases } from './purchase.ts'
import type { Countdown, Order, OrderPage, Pointer, Wallet } from './types.ts'

export type { Claim } from './claim.ts'
export type { ClickOptions, Unwon } from './click.ts'
export { type ClientOptions, NoAnswer, Refused } from './connection.ts'
export type { BuyOptions, Purchase } from './purchase.ts'
export type * from './types.ts'

export type Client = ReturnType<typeof createClient>

export function createClient(options: ClientOptions) {
  const shop = connect(options)
  const { read, sleep, random, now } = shop

  const pointer = (saleId: string, signal?: AbortSignal) => read<Pointer>(`/sales/${saleId}/current.json`, { signal })

  async function countdown(saleId: string, signal?: AbortSignal): Promise<Countdown> {
    const { version } = await pointer(saleId, signal)
    return read(`/sales/${saleId}/countdown.${version}.json`, { signal })
  }

  return {
    pointer,
    countdown,
    /** Gets the pass early, so that the first click need not wait for it. */
    getPass: (signal?: AbortSignal) => shop.getPass(signal),
    now,
    ...purchases(shop),
    ...claims(shop),

    /** Cancels an order that is not paid; repeating it is safe. */
    cancel: (orderId: string, signal?: AbortSignal) =>
      read<Order>(`/api/orders/${orderId}/cancel`, { body: {}, signal }),

    /** Resolves with the start token once the sale has opened. @throws when `signal` is aborted */
    async whenOpen(saleId: string, signal?: AbortSignal): Promise<string> {
      for (;;) {
        const { startToken, startsAt } = await countdown(saleId, signal)
        const left = startsAt - now()
        if (startToken !== undefined && left <= 0) return startToken
        await sleep(Math.min(Math.max(left, 1000 + 500 * random()), 5000), signal)
      }
    },

    /** The shopper's orders, newest first, each once. */
    async *orders(saleId?: string, signal?: AbortSignal): AsyncGenerator<Order, void> {
      const known = new Set<string>()
      for (let after: string | null | undefined; after !== null; ) {
        const query = new URLSearchParams({ ...(saleId && { sale: saleId }), ...(after && { after }) })
        const page: OrderPage = await read(`/api/orders${query.size > 0 ? `?${query}` : ''}`, { signal })
        for (const one of page.orders) if (!known.has(one.orderId)) yield one
        for (const { orderId } of page.orders) known.add(orderId)
        after = page.next
      }
    },

    /** The money of red packets, and its movements, newest first. */
    wallet: (signal?: AbortSignal) => read<Wallet>('/api/wallet', { signal }),
  }
}
