/**
 * A client of the shop's API for shoppers. It handles the start token of the sale, the pass, the idempotency key, the
 * retries that the shop asks for, and the lookup after a lost answer.
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

/**
 * Creates a client for one shopper.
 * @example
 * const client = createClient({ url: 'https://shop.example', token: () => session.token })
 * await client.whenOpen('sneaker-drop')
 * const purchase = await client.buy('sneaker-drop')
 * if (purchase.kind === 'won') location.assign((await client.pay(purchase.orderId)).url)
 */
export function createClient(options: ClientOptions) {
  const shop = connect(options)
  const { read, sleep, random, now } = shop

  const pointer = (saleId: string, signal?: AbortSignal) => read<Pointer>(`/sales/${saleId}/current.json`, { signal })

  async function countdown(saleId: string, signal?: AbortSignal): Promise<Countdown> {
    const { version } = await pointer(saleId, signal)
    return read(`/sales/${saleId}/countdown.${version}.json`, { signal })
  }

  return {
    /**
     * Returns the public state of a sale.
     * @example
     * const { phase, remaining } = await client.pointer('sneaker-drop')
     */
    pointer,
    /**
     * Returns the times of a sale, and its start token once the marketer has started it.
     * @example
     * const { startsAt } = await client.countdown('sneaker-drop')
     */
    countdown,
    /**
     * Gets the pass ahead of the start, which saves the first click a request.
     * @example
     * await client.getPass()
     */
    getPass: (signal?: AbortSignal) => shop.getPass(signal),
    /**
     * Returns the shop's time, epoch ms, estimated from its answers.
     * @example
     * const { startsAt } = await client.countdown('sneaker-drop')
     * console.log(`opens in ${startsAt - client.now()} ms`)
     */
    now,
    ...purchases(shop),
    ...claims(shop),

    /**
     * Cancels an order that is not paid. Idempotent.
     * @example
     * const { status } = await client.cancel(orderId)
     */
    cancel: (orderId: string, signal?: AbortSignal) =>
      read<Order>(`/api/orders/${orderId}/cancel`, { body: {}, signal }),

    /**
     * Resolves with the start token once the sale has opened.
     * @throws when `signal` is aborted
     * @example
     * await client.whenOpen('sneaker-drop', AbortSignal.timeout(600_000))
     */
    async whenOpen(saleId: string, signal?: AbortSignal): Promise<string> {
      for (;;) {
        const { startToken, startsAt } = await countdown(saleId, signal)
        const left = startsAt - now()
        if (startToken !== undefined && left <= 0) return startToken
        await sleep(Math.min(Math.max(left, 1000 + 500 * random()), 5000), signal)
      }
    },

    /**
     * Lists the shopper's orders, newest first, each once.
     * @example
     * for await (const { orderId, status } of client.orders()) console.log(orderId, status)
     */
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

    /**
     * Returns the balances from red packets and their credits, newest first.
     * @example
     * const { balances } = await client.wallet()
     */
    wallet: (signal?: AbortSignal) => read<Wallet>('/api/wallet', { signal }),
  }
}
