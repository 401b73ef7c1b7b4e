/** What keeping a sale true needs of Redis and of the order queue. */
import type { OrderId, SaleId, ShopperId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/order-message.ts'
import type { WarmSale } from '../../redis/warm.ts'
import type { Released } from '../order-life/release.ts'

/** Units held for one order. `reservedAt` is epoch ms. */
export type Hold = { orderId: OrderId; shopperId: ShopperId; quantity: number; reservedAt: number }

/** `orders` counts those that had to be put right. */
type Restored = { kind: 'restored'; orders: number } | { kind: 'unknown-sale' }

/**
 * `open`: it was not fenced any more. `superseded`: Redis was told of a newer version of the sale meanwhile, and the
 * fence still stands.
 */
export type Reopened =
  | { kind: 'reopened' | 'open' | 'superseded'; total: number; booked: number; restocks: number }
  | { kind: 'unknown-sale' }

/** Who holds which units, in Redis. Every call may be repeated and throws when Redis is dark. */
export type Holdings = {
  /** Every hold of the sale, in pages; one may appear twice. */
  pages: (saleId: SaleId) => AsyncIterable<readonly Hold[]>
  /** How many orders hold units. */
  count: (saleId: SaleId) => Promise<number>
  /** Takes away what the orders hold: once each, and for good. */
  release: (saleId: SaleId, orderIds: readonly OrderId[]) => Promise<Released>
  /** Makes sure that each order holds its quantity, and one of quantity 0 nothing for good. */
  restore: (saleId: SaleId, orders: readonly Hold[]) => Promise<Restored>
  /** Keeps everybody from taking units until the sale is reopened; a lost stock gets a place. */
  fence: (saleId: SaleId) => Promise<void>
  /** Lifts the fence. `restocksFloor` is the latest revision of the stock that the gate was told of. */
  reopen: (sale: WarmSale, restocksFloor: number) => Promise<Reopened>
}

export type HoldFinder = { find: (orderId: OrderId) => Promise<Omit<Hold, 'orderId'> | undefined> }

/** `body` is the message as JSON. */
export type Pending = { orderId: OrderId; body: string }

/** Reservations whose message is not yet known to be in the queue. */
export type Outbox = {
  /** Every message of the sale's outbox, in pages; one may appear twice. */
  pages: (saleId: SaleId) => AsyncIterable<readonly Pending[]>
  /**
   * Takes messages for one sending: the count of each that nobody claimed less than `minAgeMs` before `now` (epoch
   * ms), this time included. The others are gone, or somebody else's.
   */
  claimDue: (
    saleId: SaleId,
    orderIds: readonly OrderId[],
    now: number,
    minAgeMs: number,
  ) => Promise<ReadonlyMap<OrderId, number>>
  acknowledge: (saleId: SaleId, orderIds: readonly OrderId[]) => Promise<void>
  /** How many messages wait. */
  size: (saleId: SaleId) => Promise<number>
}

/** Resolves with the error of each message, undefined where it is queued. */
export type OrderQueue = {
  sendAll: (messages: readonly OrderMessage[]) => Promise<readonly (Error | undefined)[]>
}

/** About how many messages a queue holds. */
export type QueueDepth = { visible: number; inFlight: number; delayed: number }

/** Of the order queue and of what it could not deliver. Both throw when the queue does not answer. */
export type Depths = { orders: () => Promise<QueueDepth>; deadLetters: () => Promise<number> }

/** How many messages that are in all. */
export function messagesIn({ visible, inFlight, delayed }: QueueDepth): number {
  return visible + inFlight + delayed
}
