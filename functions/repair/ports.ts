/** What the repair of sales needs. */
import type { BlockEntry } from '../../core/api/control.ts'
import type { Block } from '../../core/block.ts'
import type { ClaimMessage } from '../../core/claim.ts'
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/order-message.ts'
import type { Sale } from '../../core/sale.ts'
import type { GateFacts } from '../../redis/gate.ts'
import type { LockPorts } from '../lib/lock.ts'
import type { DeadLetters } from '../lib/reject-to-dlq.ts'
import type { CancelUnpaidPorts } from '../orders/cancel-unpaid.ts'
import type { Authorisations, OrderLedger, Redrives, Refunds, SaleOrders } from '../orders/order-ledger.ts'
import type { SettlePorts } from '../orders/settle.ts'
import type { ClaimLedger } from '../packets/claim-ledger.ts'
import type { Payouts, SettlePayoutPorts } from '../packets/payouts.ts'
import type { MoveOnPorts } from '../sales/move-on.ts'
import type { EdgeStore } from '../sales/publishing/edge-store.ts'
import type { AuditEntry, SaleBook } from '../sales/sale-book.ts'
import type { DeadUnits } from './dead-units.ts'
import type { EarlyLists } from './early-list.ts'

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

/**
 * `moved`: more was credited than `claimed`, or the budget was closed before; nothing changed.
 * @throws when the table is unavailable
 */
export type BudgetStore = {
  close: (saleId: SaleId, claimed: number, audit: AuditEntry) => Promise<'closed' | 'moved'>
}

export type BlockAdded = { kind: 'added' | 'there'; entry: BlockEntry } | { kind: 'full' }

/** The truth. Each change is one with its audit entry, or changes nothing. */
export type Blocklist = {
  entries: () => Promise<readonly BlockEntry[]>
  find: (block: Block) => Promise<BlockEntry | undefined>
  /** An entry that is there stays as it is. `full`: there are `maxBlocks` already. */
  add: (entry: BlockEntry, audit: AuditEntry) => Promise<BlockAdded>
  remove: (block: Block, audit: AuditEntry) => Promise<'removed' | 'not-there'>
}

/** Every step of a repair takes the same, because a run goes through all of them. */
export type RepairPorts = MoveOnPorts &
  CancelUnpaidPorts &
  SettlePorts &
  SettlePayoutPorts &
  LockPorts & {
    sales: Pick<SaleBook, 'find' | 'findDeleted' | 'save'> & { list: () => Promise<readonly Sale[]> }
    ledger: OrderLedger
    refunds: Refunds
    authorisations: Authorisations
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
    earlyLists: EarlyLists
    edgeStore: EdgeStore
    /** The gate's facts of many sales, in few requests; those it does not know are missing. */
    readGates: (saleIds: readonly SaleId[]) => Promise<ReadonlyMap<SaleId, GateFacts>>
  }

/** How many messages that are in all. */
export function messagesIn({ visible, inFlight, delayed }: QueueDepth): number {
  return visible + inFlight + delayed
}
