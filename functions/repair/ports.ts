/** What keeping a sale true needs of Redis and of the order queue. */
import type { ClaimMessage } from '../../core/claim.ts'
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { FinalOrder } from '../../core/order.ts'
import type { OrderMessage } from '../../core/order-message.ts'
import type { HeldOrder } from '../../redis/holds.ts'
import type { Count, Recounted } from '../../redis/recount.ts'
import type { Released } from '../../redis/release.ts'
import type { Keeping, ReleasedHeldBack } from '../../redis/release-held-back.ts'
import type { Restored, RightfulOrder } from '../../redis/restore.ts'
import type { Hold } from '../../redis/stock.ts'
import type { HeldBack, Unfrozen } from '../../redis/unfreeze.ts'
import type { WarmSale } from '../../redis/warm.ts'

/** Who holds which units, in Redis. Every call may be repeated and throws when Redis is unavailable. */
export type Holdings = {
  /** Every hold of the sale, in pages; one may appear twice. */
  pages: (saleId: SaleId) => AsyncIterable<readonly HeldOrder[]>
  /** How many orders hold units. */
  count: (saleId: SaleId) => Promise<number>
  /** Takes away what the orders hold: once each, and for good. */
  release: (saleId: SaleId, orders: readonly FinalOrder[]) => Promise<Released>
  /** Makes sure that each order holds its quantity, and one of quantity 0 nothing for good. */
  restore: (saleId: SaleId, orders: readonly RightfulOrder[]) => Promise<Restored>
  /** Stops all reservations until the sale is unfrozen. A lost stock gets an empty one. */
  freeze: (saleId: SaleId) => Promise<void>
  /** Books the units that the holds of a frozen stock were counted to have. */
  recount: (saleId: SaleId, count: Count) => Promise<Recounted>
  /**
   * Unfreezes the stock. `minStockRevision` is the latest revision published to the gate.
   * `heldBack` units are not sold, as far as that many are left beside the held ones.
   */
  unfreeze: (sale: WarmSale, minStockRevision: number, heldBack: HeldBack) => Promise<Unfrozen>
  /** Sells units that were held back, beyond those to keep. */
  releaseHeldBack: (saleId: SaleId, keeping: Keeping) => Promise<ReleasedHeldBack>
}

export type HoldFinder = { find: (orderId: OrderId) => Promise<Hold | undefined> }

/** `body` is the message as JSON. */
export type Pending = { orderId: OrderId; body: string }

/** Reservations whose message is not yet known to be in the queue. */
export type Outbox = {
  /** Every message of the sale's outbox, in pages; one may appear twice. */
  pages: (saleId: SaleId) => AsyncIterable<readonly Pending[]>
  /**
   * Claims messages for one sending. Resolves with the number of sendings of each message that was
   * not claimed less than `minAgeMs` before `now` (epoch ms), this one included. The others are
   * gone, or another sender has them.
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

/**
 * `moved` went back to their queue. `missed` is an estimate of those that could not be received in
 * time, or that another consumer has.
 */
export type Retried = { moved: number; missed: number }

/** Called with the sales of dead letters before these are sent to their queue again. */
export type BeforeRedrive = (saleIds: ReadonlySet<SaleId>) => Promise<void>

/** What a queue could not deliver. Throws when SQS does not answer; what was moved stays moved. */
export type DeadLetterRetry = {
  /**
   * Sends those that were there, and may yet succeed, to their queue again, until `deadline` (epoch ms). Left out is what
   * was put aside because nothing can be made of it, and what came back after three such tries.
   */
  retry: (deadline: number, before: BeforeRedrive) => Promise<Retried>
}

/** Order messages that could not be delivered. */
export type DeadOrders = DeadLetterRetry & {
  /**
   * The orders they are for, with the units of each; undefined when they could not all be looked at. Throws when SQS does not
   * answer.
   */
  units: () => Promise<ReadonlyMap<OrderId, number> | undefined>
}

/** Messages of claims that could not be delivered. */
export type DeadClaims = DeadLetterRetry & {
  /** Undefined when they could not all be looked at. Throws when SQS does not answer. */
  claims: () => Promise<readonly ClaimMessage[] | undefined>
}

/** About how many messages a queue holds. */
export type QueueDepth = { visible: number; inFlight: number; delayed: number }

/** Of the order queue and of what it could not deliver. Both throw when the queue does not answer. */
export type Depths = { orders: () => Promise<QueueDepth>; deadLetters: () => Promise<number> }

/** How many messages that are in all. */
export function messagesIn({ visible, inFlight, delayed }: QueueDepth): number {
  return visible + inFlight + delayed
}
