/** What repairing a sale needs of the queues. */
import type { ClaimMessage } from '../../core/claim.ts'
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/order-message.ts'

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
