/** The states of an order, for shoppers and marketers. */
import type { OrderStatus } from '../../core/orders/order.ts'
import type { Text } from './text.ts'

export const orderStatusMessages = {
  'order.status.reserved': ['Processing', '订单生成中'],
  'order.status.awaiting-payment': ['Awaiting payment', '待付款'],
  'order.status.paid': ['Paid', '已付款'],
  'order.status.fulfilled': ['Completed', '已完成'],
  'order.status.cancelled': ['Cancelled', '已取消'],
  'order.status.rejected': ['Unsuccessful', '下单失败'],
  'order.status.refund-due': ['Refund in progress', '退款中'],
  'order.status.refunded': ['Refunded', '已退款'],
  'order.status.shipped': ['Shipped', '已发货'],
  'order.status.delivered': ['Delivered', '已签收'],
} as const satisfies Record<`order.status.${OrderStatus}`, Text>
