/**
 * The table's side of a written order. Everything in one call changes together or not at all, and
 * every change names the revision of the order it is based on.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { FinalOrder, Order } from '../../core/order.ts'
import type { RefundWish } from '../../core/order-life.ts'

/**
 * One step of one order: written only while the stored order is `from` (its history is as long). When the step takes
 * the units from the order, the cap of the sale and the total of the buyer get them back in the same transaction,
 * and a release is due: Redis still has to learn of it. `refund` is due from then on, until the refunds of `to` say that all
 * of it has gone back.
 */
export type OrderChange = { from: Order; to: Order; refund?: RefundWish }

/** Money that went back for no known order: written only while `seen` is still to go back, and leaves `left` of it. */
export type RefundStep = { paymentId: string; seen: number; left: number }

/**
 * An event of the payment provider, applied once by its id; `digest` distinguishes a repeat from a
 * reuse of the id.
 */
export type ProviderEvent = { eventId: string; digest: string; receivedAt: number }

/**
 * `stale`: these orders, or the refund, are no longer what was seen, and nothing was written. `repeat`: the event was counted before.
 * `reused`: its id belonged to another event. `busy`: nothing was written, the same may go through in a moment.
 */
export type Changed =
  | { kind: 'changed' | 'repeat' | 'reused' | 'busy' }
  | { kind: 'stale'; orderIds: ReadonlySet<OrderId> }

/**
 * Orders of one `change` call at most, when they are all of one sale: four items each (order, buyer, release, one refund),
 * its cap and the event are 98 of the 100 items a transaction takes. A call with several sales is for fewer orders.
 */
export const maxChanges = 24

/** Reads see every write that was answered. All throw when the table is unavailable. */
export type OrderLedger = {
  find: (orderId: OrderId) => Promise<Order | undefined>
  /** The orders among `orderIds` that are written. */
  findMany: (orderIds: readonly OrderId[]) => Promise<ReadonlyMap<OrderId, Order>>
  /** All changes or none; `event` is counted with them, also with no change at all. */
  change: (changes: readonly OrderChange[], event?: ProviderEvent, refund?: RefundStep) => Promise<Changed>
  /** Writes a rejected order, whose release is due from then on, unless there is an order of that id. */
  reject: (order: Order) => Promise<'rejected' | 'exists'>
}

/** Units the table has given back and Redis may not know of yet. */
export type Releases = {
  due: (saleId: SaleId) => Promise<readonly FinalOrder[]>
  done: (saleId: SaleId, orderIds: readonly OrderId[]) => Promise<void>
}

/** Money to go back: `amount` is what of it has not gone back yet. `requestedAt` is when it fell due, epoch ms. */
export type Refund = RefundWish & { orderId: string; requestedAt: number }

export type Refunds = {
  /** Refunds of which something is still to go back, oldest first; the list may lag a moment behind. */
  due: () => Promise<readonly Refund[]>
  /** The refund of that payment while it is due. Sees every write that was answered. */
  find: (paymentId: string) => Promise<Refund | undefined>
  /**
   * Money of no known order: due from now on. Safe to repeat: the first call counts, and the answer is the refund as it was
   * added then.
   */
  add: (refund: Refund) => Promise<Refund>
}

/**
 * What the table says of a whole sale: `sold` units in `orders` standing orders. `remaining` is -1 for unlimited. `money` is
 * there for red packets, of which each claim that was credited counts as an order of one unit.
 */
export type SaleTotals = {
  remaining: number
  sold: number
  orders: number
  /** When dead letters of the sale were last sent to their queue again, epoch ms; absent when none ever were. */
  redrivenAt?: number
  money?: PacketMoney
}

/**
 * What all packets of a sale hold, and what of it was credited to wallets, in minor units. `closedAt` (epoch ms) is there once
 * the rest went back, and no more is credited.
 */
export type PacketMoney = { budget: number; claimed: number; closedAt?: number }

export type SaleOrders = {
  /** Undefined before the sale was warmed. */
  totals: (saleId: SaleId) => Promise<SaleTotals | undefined>
  /** Every order of the sale, in pages. They are no snapshot: what is written while they are read may be missing. */
  pages: (saleId: SaleId) => AsyncIterable<readonly ListedOrder[]>
}

/**
 * Records that dead letters of the sale are sent to their queue again, at `now` (epoch ms); `totals` shows it. Safe to repeat.
 * Throws when the table is unavailable.
 */
export type Redrives = { note: (saleId: SaleId, now: number) => Promise<void> }

export type ListedOrder = Pick<Order, 'orderId' | 'shopperId' | 'quantity' | 'status' | 'reservedAt'>
