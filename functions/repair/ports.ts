/** What the repair of sales needs, and what a run of it is asked for. */

import type { OrderId, SaleId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import type { ClaimMessage } from '../../core/packets/claim.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { GateFacts } from '../../redis/gate/gate.ts'
import type { LockPorts } from '../lib/lock.ts'
import type { DeadLetters } from '../lib/reject-to-dlq.ts'
import type { CancelUnpaidPorts } from '../orders/cancel-unpaid.ts'
import type { SettlePorts } from '../orders/settle.ts'
import type { SettlePayoutPorts } from '../packets/payouts.ts'
import type { MoveOnPorts } from '../sales/move-on.ts'
import type { EdgeStore } from '../sales/publishing/edge-store.ts'
import type { Blocklist } from '../table/gate/blocklist.ts'
import type { OrderLedger } from '../table/orders/order-ledger.ts'
import type { BudgetStore } from '../table/packets/budget.ts'
import type { ClaimLedger } from '../table/packets/claim-ledger.ts'
import type { Payouts } from '../table/packets/payouts.ts'
import type { Redrives, SaleOrders } from '../table/sale/sale-orders.ts'
import type { SaleBook } from '../table/sale/sales.ts'
import type { DeadUnits } from './orders/dead-units.ts'

/** Resolves with the error of each message, undefined where it is queued. */
export type OrderQueue = {
  sendAll: (messages: readonly OrderMessage[]) => Promise<readonly (Error | undefined)[]>
}

/**
 * `moved` went back to their queue. `missed` is an estimate of those that could not be received in
 * time, or that another consumer has.
 */
type Retried = { moved: number; missed: number }

/** Called with the sales of dead letters before these are sent to their queue again. */
export type BeforeRedrive = (saleIds: ReadonlySet<SaleId>) => Promise<void>

/**
 * What a queue could not deliver.
 * @throws when SQS does not answer; what was moved stays moved
 */
export type DeadLetterRetry = {
  /**
   * Sends those that were there, and may yet succeed, to their queue again, until `deadline` (epoch
   * ms). Left out is what was put aside because nothing can be made of it, and what came back after
   * three such tries.
   */
  retry: (deadline: number, before: BeforeRedrive) => Promise<Retried>
}

/** Order messages that could not be delivered. */
export type DeadOrders = DeadLetterRetry & {
  /**
   * The orders they are for, with the shopper and the units of each; undefined when they could not
   * all be looked at.
   * @throws when SQS does not answer
   */
  units: () => Promise<ReadonlyMap<OrderId, DeadUnits> | undefined>
}

/** Messages of claims that could not be delivered. */
export type DeadClaims = DeadLetterRetry & {
  /**
   * Undefined when they could not all be looked at.
   * @throws when SQS does not answer
   */
  claims: () => Promise<readonly ClaimMessage[] | undefined>
}

/** About how many messages a queue holds. */
export type QueueDepth = { visible: number; inFlight: number; delayed: number }

/**
 * Of the order queue and of what it could not deliver. Both throw when the queue does not answer.
 */
export type Depths = { orders: () => Promise<QueueDepth>; deadLetters: () => Promise<number> }

/**
 * About how many claims are on their way.
 * @throws when the queue does not answer
 */
export type ClaimQueue = { depth: () => Promise<QueueDepth> }

/** Every step of a repair takes the same, because a run goes through all of them. */
export type RepairPorts = MoveOnPorts &
  CancelUnpaidPorts &
  SettlePorts &
  SettlePayoutPorts &
  LockPorts & {
    sales: Pick<SaleBook, 'find' | 'findDeleted' | 'save'> & { list: () => Promise<readonly Sale[]> }
    ledger: OrderLedger
    payouts: Pick<Payouts, 'due' | 'end'>
    saleOrders: SaleOrders
    redrives: Redrives
    queue: OrderQueue
    queues: Pick<Depths, 'orders'>
    deadOrders: DeadOrders
    deadTimers: DeadLetterRetry
    claimLedger: ClaimLedger
    claimQueue: ClaimQueue
    claimLetters: DeadLetters
    deadClaims: DeadClaims
    budgetStore: BudgetStore
    blocklist: Blocklist
    edgeStore: EdgeStore
    /** The gate's facts of many sales, in few requests; those it does not know are missing. */
    readGates: (saleIds: readonly SaleId[]) => Promise<ReadonlyMap<SaleId, GateFacts>>
  }

/** Ages are in ms. `full`: compare every hold, even when the counters agree or the sale is over. */
export type ReconcileOptions = { minAgeMs: number; holdAgeMs: number; full: boolean }

/** `deadline` (epoch ms) is when a repair begins nothing more; what is left then is for the next one. */
export type Timed = RepairPorts & { deadline: number }

/** One look at the sales. */
export type Run = Timed & ReconcileOptions

/** The rebuilding of one sale under its lock; `signal` is aborted when the lock is lost. */
export type RecoveryRun = Timed & { sale: Sale; signal: AbortSignal }

/** The same with `ms` left at the most. */
export const endingWithin = <T extends Timed>(run: T, ms: number): T => ({
  ...run,
  deadline: Math.min(run.deadline, run.clock() + ms),
})

/** How many messages that are in all. */
export function messagesIn({ visible, inFlight, delayed }: QueueDepth): number {
  return visible + inFlight + delayed
}
