/** The queues of the shop, as the repair and the console see them. */
import type { OrderId, SaleId } from '../../../core/ids.ts'
import type { OrderMessage } from '../../../core/orders/order-message.ts'

export type DeadUnits = Pick<OrderMessage, 'shopperId' | 'quantity' | 'variant' | 'packet'>

export type OrderQueue = {
  /** Resolves with the error of each message, undefined where it is queued. */
  sendAll: (messages: readonly OrderMessage[]) => Promise<readonly (Error | undefined)[]>
  /** About how many orders are on their way. @throws when the queue does not answer */
  depth: () => Promise<QueueDepth>
}

/** `moved` went back to their queue. `missed` estimates those that were not received in time. */
type Retried = { moved: number; missed: number }

/** Called with the sales of dead letters before these are sent to their queue again. */
export type BeforeRedrive = (saleIds: ReadonlySet<SaleId>) => Promise<void>

/**
 * The dead letters of a queue.
 * @throws when SQS does not answer; messages that were moved by then stay moved
 */
export type DeadLetterRetry = {
  /**
   * Sends those that were there, and may yet succeed, to their queue again, until `deadline` (epoch ms). Left out is
   * what was put aside because nothing can be made of it, and what came back after three such tries.
   */
  retry: (deadline: number, before: BeforeRedrive) => Promise<Retried>
}

/** Order messages that could not be delivered. */
export type DeadOrders = DeadLetterRetry & {
  /** Their orders, shoppers and units; undefined when not all could be looked at. @throws when SQS does not answer */
  units: () => Promise<ReadonlyMap<OrderId, DeadUnits> | undefined>
}

/** About how many messages a queue holds. */
export type QueueDepth = { visible: number; inFlight: number; delayed: number }

/**
 * Asks `reconcile` to look at a sale at once; with `begins` also to tick, because the sale sells before the next run of
 * the schedule. It never throws: that run finds what a lost message was about.
 */
export type Wake = (saleId: SaleId, begins?: boolean) => Promise<void>
