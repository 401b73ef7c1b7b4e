/** Words of the bill on the order page: above the order button, and as a receipt. */
import type { Messages } from './text.ts'

export const billMessages = {
  'orders.seller': ['Sold by:', '销售方：'],
  'bill.title': ['Your order', '订单明细'],
  'bill.receipt': ['Receipt', '付款明细'],
  'bill.goods': ['Goods', '商品'],
  'bill.delivery': ['Delivery', '运费'],
  'bill.deliveryFree': ['Free', '包邮'],
  'bill.deliveryLater': ['Depends on your address', '填写地址后确定'],
  'bill.total': ['Total', '合计'],
  'bill.subtotal': ['Total without delivery', '合计（不含运费）'],
  'bill.vat': ['VAT included ({percent} %)', '已含增值税（{percent}%）'],
  'bill.tax': ['Tax included ({percent} %)', '已含税（{percent}%）'],
  'bill.net': ['Net amount', '不含税金额'],
  'bill.term': ['Term', '合同期限'],
  'bill.once': ['One-off purchase: no subscription, no minimum term', '单次购买，无订阅，无最短期限'],
  'bill.dispatch': ['Dispatch', '发货'],
  'bill.dispatchWithin': ['Within {days} days', '{days} 日内发货'],
  'bill.addressNext': ['Add address', '填写收货地址'],
} as const satisfies Messages
