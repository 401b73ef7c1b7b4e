/** An order to write, and how orders are grouped into transactions. */
import type { Order } from '../../../core/orders/order.ts'
import type { Admitted } from '../../../core/orders/order-message.ts'
import { groupsOf, maxItems } from '../../lib/group-commit.ts'

/**
 * `messageIds` are all messages of this order. `limit` is the sale's limit per shopper; `capped` is false for unlimited stock;
 * `budget` is the money of all red packets of the sale.
 */
export type OrderEntry = {
  order: Order
  messageIds: readonly string[]
  limit: number
  capped: boolean
  budget?: number | undefined
  /** The report about the request, which the gate gets once the order is written. */
  admitted?: Admitted | undefined
}

/** Items per order: itself, and its buyer's total or the owner of its red packet. Each sale adds one (its cap). */
export const itemsPerOrder = 2

const itemsPerSale = 1

/** Orders of one sale that fill one transaction: 49. The batch size of the queue's event source. */
export const fullBatch = Math.floor((maxItems - itemsPerSale) / itemsPerOrder)

/** The maximum of coupon codes in a chunk, unless one order has more: ten transactions with their entries. */
const maxCodes = 10 * maxItems

/**
 * Groups entries so that each group fits one transaction: no shopper and no red packet twice in one sale. 49 orders of one sale
 * make 99 items. Coupon codes have entries beside the orders, so their number is limited too, or a group could not be written
 * within an invocation.
 */
export function chunksOf(entries: readonly OrderEntry[]): OrderEntry[][] {
  return groupsOf(entries, {
    items: itemsPerOrder,
    own: ({ order: { saleId, shopperId, packet } }) => [
      `${saleId}#${shopperId}`,
      ...(packet ? [`${saleId} packet ${packet.number}`] : []),
    ],
    shared: ({ order }) => order.saleId,
  }).flatMap(withFewCodes)
}

function withFewCodes(group: readonly OrderEntry[]): OrderEntry[][] {
  const parts: OrderEntry[][] = []
  let codes = Number.POSITIVE_INFINITY
  for (const entry of group) {
    const more = entry.order.coupons?.length ?? 0
    codes += more
    if (codes > maxCodes) {
      parts.push([])
      codes = more
    }
    parts.at(-1)?.push(entry)
  }
  return parts
}
