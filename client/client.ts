/**
 * A client of the shop's API for shoppers. It keeps what a click needs: the start token of the sale, the pass, the
 * key that makes a repeat harmless, the waits that the shop asks for, and the look-up after a lost answer.
 */
import { type ClickOptions, click, type Unwon } from './click.ts'
import { type ClientOptions, connect } from './connection.ts'
import type { Order, OrderPage, Wallet } from './types.ts'

export type { ClickOptions, Unwon } from './click.ts'
export { type ClientOptions, NoAnswer, Refused } from './connection.ts'
export type * from './types.ts'

/** Either `quantity` units, one unless given, or in a sale with variants a `basket` of them by their ids. */
export type BuyOptions = ClickOptions & { quantity?: number; basket?: Readonly<Record<string, number>> }

/** `won`: the units are the shopper's. `gone`: an earlier try won, and that order has ended since. */
export type Purchase =
  | { kind: 'won'; orderId: string; quantity: number; repeat: boolean; key: string }
  | { kind: 'gone'; orderId: string; key: string }
  | Unwon

/** `amount` is in minor units. */
export type Claim =
  | { kind: 'won'; packetId: string; amount: number; currency: string; repeat: boolean; key: string }
  | Unwon

export type Client = ReturnType<typeof createClient>

/** Statuses that nothing follows. */
const ended: ReadonlySet<string> = new Set(['cancelled', 'rejected', 'refunded', 'delivered'])
const held: ReadonlySet<string> = new Set([
  ...['reserved', 'awaiting-payment', 'paid', 'fulfilled', 'shipped', 'delivered'],
])

/** Clocks of shop and client agree to well within this. */
const slackMs = 3000

export function createClient(options: ClientOptions) {
  const shop = connect(options)
  const { read, sleep, random, now } = shop

  const order = (orderId: string, signal?: AbortSignal) => read<Order>(`/api/orders/${orderId}`, { signal })

  return {
    pointer: shop.pointer,
    countdown: shop.countdown,
    /** Gets the pass early, so that the first click need not wait for it. */
    getPass: shop.getPass,
    now,

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

    /** Where to pay. Repeating it is safe: while a payment is under way it gives the same page. */
    pay: (orderId: string, signal?: AbortSignal) =>
      read<{ url: string; paymentId: string }>(`/api/orders/${orderId}/pay`, { body: {}, signal }),

    /** Cancels an order that is not paid; repeating it is safe. */
    cancel: (orderId: string, signal?: AbortSignal) =>
      read<Order>(`/api/orders/${orderId}/cancel`, { body: {}, signal }),

    /** The money of red packets, and its movements, newest first. */
    wallet: (signal?: AbortSignal) => read<Wallet>('/api/wallet', { signal }),
  }
}
