/** The bill in an answer about an order, and how it lets the order be paid. */
import type { OrderView } from '../../../core/api/shop.ts'
import type { OrderBill } from '../../../core/orders/bill.ts'
import { fieldsOf, isNumber, readOrder } from '../lib/wire.ts'

/** The order in an answer about one order, with its bill; undefined when it is no order. */
export function readBilledOrder(value: unknown): OrderView | undefined {
  const order = readOrder(value)
  const bill = readBill(fieldsOf(value)?.bill)
  return order && bill ? { ...order, bill } : order
}

function readBill(value: unknown): OrderBill | undefined {
  const { goods, delivery, total } = fieldsOf(value) ?? {}
  if (!isNumber(goods) || !isNumber(total)) return undefined
  return { goods, delivery: isNumber(delivery) ? delivery : null, total }
}

/** True while an address is stored whose delivery costs this page has not read yet: the total that it shows is not the one to pay. */
export const isTotalOpen = ({ bill, delivery }: Pick<OrderView, 'bill' | 'delivery'>): boolean =>
  delivery === 'stored' && bill?.delivery === null

/** True where the shopper must see the bill before each payment, so that no step may open the payment by itself. */
export function isBilledFirst({ bill }: Pick<OrderView, 'bill'>): boolean {
  return bill !== undefined && (bill.goods !== bill.total || bill.delivery === null)
}
