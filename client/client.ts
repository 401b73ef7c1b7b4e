/**
 * A client of the shop's API for shoppers. It keeps what a click needs: the start token of the sale, the pass, the
 * key that makes a repeat harmless, the waits that the shop asks for, and the look-up after a lost answer.
 */
import { type ClickOptions, click, type Unwon } from './click.ts'
import { type ClientOptions, connect } from './connection.ts'
import { purchases } from './purchase.ts'
import type { Order, OrderPage, Wallet } from './types.ts'

export type { ClickOptions, Unwon } from './click.ts'
export { type ClientOptions, NoAnswer, Refused } from './connection.ts'
export type { BuyOptions, Purchase } from './purchase.ts'
export type * from './types.ts'

/** `amount` is in minor units. */
export type Claim =
  | { kind: 'won'; packetId: string; amount: number; currency: string; repeat: boolean; key: string }
  | Unwon

export type Client = ReturnType<typeof createClient>

export function createClient(options: ClientOptions) {
  const shop = connect(options)
  const { read, sleep, random, now } = shop

  return {
    pointer: shop.pointer,
    countdown: shop.countdown,
    /** Gets the pass early, so that the first click need not wait for it. */
    getPass: (signal?: AbortSignal) => shop.getPass(signal),
    now,
    ...purchases(shop),

    /** Resolves with the start token once the sale has opened. @throws when `signal` is aborted */
    async whenOpen(saleId: string, signal?: AbortSignal): Promise<string> {
      for (;;) {
        const { startToken, startsAt } = await shop.countdown(saleId, signal)
        const left = startsAt - now()
        if (startToken !== undefined && left <= 0) return startToken
        await sleep(Math.min(Math.max(left, 1000 + 500 * random()), 5000), signal)
      }
    },

    /**
     * Claims a red packet: one for each shopper, so a repeat finds the same one.
     * @throws when `signal` is aborted; the outcome is open then
     */
    claim(saleId: string, how: ClickOptions = {}): Promise<Claim> {
      type Packet = { packetId: string; amount: number; currency: string; repeat?: true }
      const claimed = ({ packetId, amount, currency }: Packet, repeat: boolean) =>
        ({ kind: 'won', packetId, amount, currency, repeat }) as const
      return click(
        shop,
        saleId,
        {
          path: `/api/sales/${saleId}/packets`,
          body: {},
          read: (body) => claimed(body as Packet, (body as Packet).repeat === true),
          // The wallet shows a packet only once it is credited, however late that is.
          async find() {
            const { packet } = await read<{ packet: Packet | null }>(`/api/packets?sale=${saleId}`, {
              signal: how.signal,
            })
            return packet === null ? undefined : claimed(packet, true)
          },
        },
        how,
      )
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
