/** Words of the console's table of orders. */
import type { Messages } from '../text.ts'

export const orderTableMessages = {
  'table.caption': ['Orders, newest first', '订单列表，最新的在前'],
  'table.captionAll': [
    'Orders of all sales: the latest sale first, in it the newest order first',
    '全部活动的订单：按活动开始时间由新到旧，同一活动内最新的在前',
  ],
  'table.empty': ['No orders yet.', '暂无订单。'],
  'table.emptyOf': ['No orders with this status.', '没有该状态的订单。'],
  'table.ofSale': ['Orders of {sale}', '{sale} 的订单'],
  'table.allSales': ['Orders of all sales', '查看全部活动的订单'],
  'table.status': ['Status', '状态'],
  'table.any': ['Any status', '全部状态'],
  'table.order': ['Order', '订单号'],
  'table.time': ['Reserved', '下单时间'],
  'table.sale': ['Sale', '活动'],
  'table.shopper': ['Shopper', '用户'],
  'table.units': ['Units', '数量'],
  'table.amount': ['Amount', '金额'],
  'table.choose': ['Choose', '选择'],
  'table.chooseOne': ['Choose order {number}', '选择订单 {number}'],
  'table.chooseAll': ['Choose all that are shown', '全选当前列表'],
  'table.chosen': ['{n} {n|order|orders} chosen', '已选 {n} 笔订单'],
  'table.refund': ['Refund {n} {n|order|orders}', '退款（{n} 笔）'],
  'table.askRefund': ['Refund {n} {n|order|orders}?', '确认为这 {n} 笔订单退款？'],
  'table.sum': ['{money} was paid for them.', '对应的已付金额：{money}。'],
  'table.unpaid': [
    'Orders that are not paid are cancelled. Units that were not shipped go back on sale.',
    '未付款的订单将被取消；未发货的商品将重新上架。',
  ],
  'table.refunding': ['Refunding {done} of {total}…', '正在退款 {done}/{total}…'],
  'table.refunded': ['{n} {n|order|orders} refunded or cancelled.', '已处理 {n} 笔订单。'],
  'table.notRefunded': [
    '{n} of {total} could not be refunded. They are still chosen. {why}',
    '{total} 笔中有 {n} 笔未能退款，仍保持选中。{why}',
  ],
  'table.ship': ['Mark {n} {n|order|orders} as shipped', '标记为已发货（{n} 笔）'],
  'table.carrier': ['Carrier', '承运商'],
  'table.wrongCarrier': ['Enter 1 to 32 letters, digits and spaces.', '请输入 1 到 32 个字母、数字或空格。'],
  'table.askShip': ['Mark {n} {n|order|orders} as shipped?', '确认将这 {n} 笔订单标记为已发货？'],
  'table.shipEffect': [
    'Shoppers see “Shipped” and the carrier {carrier}, and get an e-mail where e-mails are on. Tracking numbers can be imported later.',
    '用户将看到“已发货”及承运商“{carrier}”；已启用邮件时会收到通知。快递单号可稍后导入。',
  ],
  'table.shipped': ['{n} of {total} marked as shipped.', '已将 {total} 笔中的 {n} 笔标记为已发货。'],
  'table.notShipped': [
    '{n} were not: they are not paid, have ended, or are disputed. They are still chosen.',
    '{n} 笔未标记（未付款、已结束或存在争议），仍保持选中。',
  ],
  'table.save': ['Download these as CSV', '下载为 CSV'],
} as const satisfies Messages
