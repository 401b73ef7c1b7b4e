/**
 * What a sale page needs to know of the shopper's orders; the order page reads all of them
 * (wire.ts).
 */

import type { OrderView } from '../../../core/api/shop.ts'
import { parseOrderId } from '../../../core/ids.ts'
import { fieldsOf, readStatus } from '../lib/wire.ts'

export type OrderBrief = Pick<OrderView, 'orderId' | 'status' | 'quantity' | 'reservedAt'>

/** The list in `{orders: […]}`; undefined when the answer is no such list. */
export function readOrderBriefs(value: unknown): OrderBrief[] | undefined {
  const list = fieldsOf(value)?.orders
  return Array.isArray(list) ? list.map(readBrief).filter((order) => order !== undefined) : undefined
}

function readBrief(value: unknown): OrderBrief | undefined {
  const { quantity, reservedAt, ...fields } = fieldsOf(value) ?? {}
  const orderId = parseOrderId(fields.orderId)
  const status = readStatus(fields.status)
  if (orderId === undefined || status === undefined) return undefined
  if (typeof quantity !== 'number' || typeof reservedAt !== 'number') return undefined
  return { orderId, status, quantity, reservedAt }
}
