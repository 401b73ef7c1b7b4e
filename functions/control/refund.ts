/** Refunds an order for a marketer or support. An unpaid order is cancelled; the money of a paid one is returned. */
import type { AuditAction } from '../../core/audit.ts'
import type { OrderId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import { advance, type LifeEvent } from '../../core/orders/order-life.ts'
import { type ChangeOrderPorts, changeOrder, type OrderChanged } from '../orders/change-orders.ts'
import type { Actor } from '../sales/audit.ts'
import { addAuditEntry } from '../table/audit.ts'
import { findWrittenOrder } from '../table/orders/orders.ts'
import { findSale } from '../table/sale/sales.ts'

/** The order costs more than `limit`, the maximum that support may refund in its sale. */
export type OverRefundLimit = { kind: 'over-limit'; amount: number; limit: number; currency: string }

/** `settle-refund`: the shopper got the money that the bank returned in another way. */
const events = {
  refund: { kind: 'refunded-by-marketer' },
  'settle-refund': { kind: 'refund-settled' },
} as const satisfies Partial<Record<AuditAction, LifeEvent>>

/**
 * Refunds or cancels the order, or settles its refund; an ended order stays as it is (I5). The audit entry is written first:
 * after a crash in between the log names a change that was not made, never the reverse.
 */
export async function refundOrder(
  ports: ChangeOrderPorts,
  actor: Actor,
  orderId: OrderId,
  what: keyof typeof events,
): Promise<OrderChanged | OverRefundLimit> {
  const order = await findWrittenOrder(ports.table, orderId)
  if (order === undefined) return { kind: 'no-order' }
  const excess = actor.role === 'marketer' ? undefined : await findExcess(ports, order)
  if (excess !== undefined) return excess
  const now = ports.clock()
  const event = events[what]
  const step = advance(order, event, now)
  if (step.kind === 'moved') {
    const { saleId, status } = order
    const after = { orderId, status: step.order.status, reason: step.order.reason }
    const entry = { ...actor, what, saleId, when: now, before: { orderId, status }, after }
    await addAuditEntry(ports.table, entry)
  }
  return changeOrder(ports, orderId, event)
}

/**
 * Compares the amount of the order with the limit of its sale. The amount never changes, so a payment that arrives meanwhile
 * cannot exceed the limit. The order has the currency of its sale, which is locked once the sale has started.
 */
async function findExcess(
  { table }: Pick<ChangeOrderPorts, 'table'>,
  { saleId, amount, currency }: Order,
): Promise<OverRefundLimit | undefined> {
  const limit = (await findSale(table, saleId))?.sale.supportRefundLimit ?? 0
  return amount > limit ? { kind: 'over-limit', amount, limit, currency } : undefined
}
