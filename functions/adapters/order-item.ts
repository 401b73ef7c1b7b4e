/** An order as an item of the table and back. */
import * as z from 'zod/mini'
import { parseOrderId, parseSaleId, parseShopperId } from '../../core/ids.ts'
import type { Order } from '../../core/order.ts'
import { parse, readBy, whole } from '../../core/parse.ts'
import { UnexpectedItem } from './dynamodb.ts'
import { orderKey, orderListKey } from './table.ts'

const max = Number.MAX_SAFE_INTEGER

const storedOrder = z.object({
  orderId: readBy(parseOrderId, 'must be an order id'),
  saleId: readBy(parseSaleId, 'must be a sale id'),
  shopperId: readBy(parseShopperId, 'must be a shopper id'),
  quantity: whole(1, max),
  amount: whole(0, max),
  currency: z.string('must be text'),
  status: z.enum(['awaiting-payment', 'rejected'], 'must be a status'),
  reservedAt: whole(0, max),
  writtenAt: whole(0, max),
  payBy: whole(0, max),
  reason: z.optional(z.enum(['over-cap', 'over-limit'], 'must be a reason')),
})

export function orderItem(order: Order): Record<string, unknown> {
  return {
    ...orderKey(order.orderId),
    ...orderListKey(order.shopperId, order.reservedAt, order.orderId),
    ...order,
  }
}

/** The order in an item. Throws UnexpectedItem. */
export function readOrderItem(item: Record<string, unknown>): Order {
  const order = parse(storedOrder, item)
  if (!order.ok) throw new UnexpectedItem('an order', order.detail)
  const { reason, ...rest } = order.value
  return reason === undefined ? rest : { ...rest, reason }
}
