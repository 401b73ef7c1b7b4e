/** The port to the deliveries: one for each order, encrypted, for a limited time. */
import type { OrderDelivery } from '../../core/delivery.ts'
import type { OrderId } from '../../core/ids.ts'
import type { Order } from '../../core/order.ts'

/** All throw when the table is unavailable. */
export type Deliveries = {
  /** Those of `orderIds`, none named twice, that are neither missing, erased nor expired. Strongly consistent. */
  findMany: (orderIds: readonly OrderId[]) => Promise<ReadonlyMap<OrderId, OrderDelivery>>
  /** Replaces an earlier one; kept until `expiresAt`, epoch ms. */
  put: (orderId: OrderId, delivery: OrderDelivery, expiresAt: number) => Promise<void>
  /** Safe to repeat. False, and nothing is erased, when the order has changed since `order` was read. */
  erase: (order: Pick<Order, 'orderId' | 'history'>) => Promise<boolean>
}
