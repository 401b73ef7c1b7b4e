/** A step of an order to be written, and what is written with it. */
import type { Order } from '../../../core/orders/order.ts'
import type { NeededDelivery, PaymentMoney } from '../../../core/orders/order-life.ts'
import type { RefundProgress } from '../../../core/orders/order-refunds.ts'

/**
 * One step of one order: written only while the stored order is `from` (same history length). When
 * the step takes the order's units, the same transaction returns them to the sale's cap and the
 * buyer's total and records a release as due, for Redis. `refund` is due until the refunds of `to`
 * say that all of it has gone back. An authorisation that the step accepts is recorded as due. With
 * `needsDelivery` it is written only while such a delivery of the order is stored.
 */
export type OrderChange = { from: Order; to: Order; refund?: PaymentMoney; needsDelivery?: NeededDelivery }

/** A refund for an unknown order, written only while `seen` is due; `isStopped`: the bank returned it. */
export type RefundStep = RefundProgress & { seen: number }

/** A payment event, counted once by its id; `digest` distinguishes a repeat from a reuse of the id. */
export type ProviderEvent = { eventId: string; digest: string; receivedAt: number }
