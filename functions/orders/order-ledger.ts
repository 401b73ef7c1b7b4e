/**
 * The ports to the table for orders that are written. All changes of one call are one transaction,
 * and every change names the order revision it was made from.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { FinalOrder, Order } from '../../core/order.ts'
import type { PaymentMoney } from '../../core/order-life.ts'
import type { RefundProgress } from '../../core/order-refunds.ts'

/**
 * One step of one order: written only while the stored order is `from` (same history length). When
 * the step takes the order's units, the same transaction returns them to the sale's cap and the
 * buyer's total and records a release as due, for Redis. `refund` is due until the refunds of `to`
 * say that all of it has gone back. An authorisation that the step accepts is recorded as due. With
 * `needsDelivery` it is written only while a delivery of the order is stored.
 */
export type OrderChange = { from: Order; to: Order; refund?: PaymentMoney; needsDelivery?: boolean }

/**
 * A refund for an unknown order: written only while `seen` is still due; `left` of it remains due,
 * unless it `isStopped` because the bank returned it.
 */
export type RefundStep = RefundProgress & { seen: number }

/**
 * A payment event, counted once by its id; `digest` distinguishes a repeat from a reuse of the id.
 */
export type ProviderEvent = { eventId: string; digest: string; receivedAt: number }

/**
 * `stale`: the orders or the refund changed since they were read; nothing was written. `repeat`:
 * the event was counted before. `reused`: its id belongs to another event. `no-delivery`: an order
 * lacks the delivery that its step needs. `busy`: nothing was written, a retry may succeed.
 */
export type Changed =
  | { kind: 'changed' | 'repeat' | 'reused' | 'no-delivery' | 'busy' }
  | { kind: 'stale'; orderIds: ReadonlySet<OrderId> }

/**
 * Most orders of one `change` call: five items each (order, buyer, release, one refund, its part of
 * the cap) and the event are 96 of the 100 items of a transaction.
 */
export const maxChanges = 19

/** Strongly consistent reads. All throw when the table is unavailable. */
export type OrderLedger = {
  find: (orderId: OrderId) => Promise<Order | undefined>
  /** The orders among `orderIds` that are written. */
  findMany: (orderIds: readonly OrderId[]) => Promise<ReadonlyMap<OrderId, Order>>
  /** All changes or none; `event` is counted with them, even when there are no changes. */
  change: (changes: readonly OrderChange[], event?: ProviderEvent, refund?: RefundStep) => Promise<Changed>
  /** Writes a rejected order and its due release, unless an order of that id exists. */
  reject: (order: Order) => Promise<'rejected' | 'exists'>
}

/** Units the table has released and Redis may still hold. */
export type Releases = {
  due: (saleId: SaleId) => Promise<readonly FinalOrder[]>
  done: (saleId: SaleId, orderIds: readonly OrderId[]) => Promise<void>
}

/**
 * A refund: `amount` is what has not gone back yet. `requestedAt` is when it fell due, epoch ms.
 */
export type Refund = PaymentMoney & { orderId: string; requestedAt: number }

export type Refunds = {
  /** Refunds not yet complete, oldest first; eventually consistent. */
  due: () => Promise<readonly Refund[]>
  /** The refund of that payment while it is due. Strongly consistent. */
  find: (paymentId: string) => Promise<Refund | undefined>
  /**
   * Records a refund for an unknown order as due. Safe to repeat: the first call counts, and later
   * calls answer with the refund as it was added then.
   */
  add: (refund: Refund) => Promise<Refund>
}

/** Authorised money, until it is captured or released; since `requestedAt`, epoch ms. */
export type Authorisation = PaymentMoney & { orderId: OrderId; requestedAt: number }

export type Authorisations = {
  /** Authorisations that are neither captured nor released, oldest first; eventually consistent. */
  due: () => Promise<readonly Authorisation[]>
  /** Records one as due. Safe to repeat: the first call counts, also when it is done since. */
  add: (authorisation: Authorisation) => Promise<void>
  /** Safe to repeat; it must have been added. */
  done: (paymentId: string) => Promise<void>
}

/**
 * The table's totals of a sale: `sold` units in `orders` standing orders. `remaining` is -1 for
 * unlimited. `variants` are the units of each variant by its id, in a sale that has some. `money` is
 * set for red packets; there each credited claim counts as an order of one unit.
 */
export type SaleTotals = {
  remaining: number
  sold: number
  orders: number
  /** When dead letters of the sale were last redriven, epoch ms; absent when they never were. */
  redrivenAt?: number
  variants?: Readonly<Record<string, VariantTotals>>
  money?: PacketMoney
}

/** Of one variant: the units left, and those in standing orders. */
export type VariantTotals = { left: number; sold: number }

/**
 * What all packets of a sale hold, and what of it was credited, in minor units. `closedAt` (epoch
 * ms) is set once the budget is closed: the rest went back, and no more is credited.
 */
export type PacketMoney = { budget: number; claimed: number; closedAt?: number }

export type SaleOrders = {
  /** Undefined before the sale was warmed. */
  totals: (saleId: SaleId) => Promise<SaleTotals | undefined>
  /**
   * The same with all parts of the cap read at the same moment; undefined also when one of them
   * changed meanwhile. `sold` and `orders` of `totals` count each order of one moment between the
   * call and its answer; its `remaining` may miss units that move from part to part.
   */
  totalsAtOnce: (saleId: SaleId) => Promise<SaleTotals | undefined>
  /**
   * Every order of the sale, in pages. Not a snapshot: orders written during the walk may be
   * missing.
   */
  pages: (saleId: SaleId) => AsyncIterable<readonly ListedOrder[]>
}

/**
 * The orders of a sale that are paid, and their `amount` in minor units, refunded parts included; and how
 * many of its coupons are `redeemed`.
 */
export type Paid = { orders: number; amount: number; redeemed: number }

export type PaidOrders = { of: (saleId: SaleId) => Promise<Paid> }

/**
 * Records that dead letters of the sale are redriven at `now` (epoch ms); `totals` shows it. Safe
 * to repeat.
 * @throws when the table is unavailable
 */
export type Redrives = { note: (saleId: SaleId, now: number) => Promise<void> }

export type ListedOrder = Pick<
  Order,
  'orderId' | 'shopperId' | 'quantity' | 'basket' | 'status' | 'reservedAt'
>
