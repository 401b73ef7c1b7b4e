/** The changes and reads of written orders in a table. */
import type { OrderId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import type { Table } from '../../functions/lib/shop/shop.ts'
import {
  changeWrittenOrders,
  type OrderChange,
  type ProviderEvent,
  rejectOrder,
} from '../../functions/table/orders/change-orders.ts'
import type { RefundStep } from '../../functions/table/orders/due-money.ts'
import { findWrittenOrder, findWrittenOrders } from '../../functions/table/orders/orders.ts'

export const ledgerOf = (table: Table) => ({
  find: (orderId: OrderId) => findWrittenOrder(table, orderId),
  findMany: (orderIds: readonly OrderId[]) => findWrittenOrders(table, orderIds),
  change: (changes: readonly OrderChange[], event?: ProviderEvent, refund?: RefundStep) =>
    changeWrittenOrders(table, changes, event, refund),
  reject: (order: Order) => rejectOrder(table, order),
})
