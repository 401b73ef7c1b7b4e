/** The bill in an answer about an order, and how its market lets the order be paid. */
import type { OrderView } from '../../../core/api/shop.ts'
import type { OrderBill } from '../../../core/orders/bill.ts'
import { marketRules, markets, withdrawalExceptions } from '../../../core/sale/market.ts'
import { fieldsOf, isNumber, oneOf, readOrder } from '../lib/wire.ts'

/** The order in an answer about one order, with its bill; undefined when it is no order. */
export function readBilledOrder(value: unknown): OrderView | undefined {
  const order = readOrder(value)
  const bill = readBill(fieldsOf(value)?.bill)
  return order && bill ? { ...order, bill } : order
}

function readBill(value: unknown): OrderBill | undefined {
  const { goods, delivery, total, taxPercent, net, tax, ...fields } = fieldsOf(value) ?? {}
  const market = oneOf(markets, fields.market)
  if (market === undefined || !isNumber(goods) || !isNumber(total)) return undefined
  const cost = isNumber(delivery) ? delivery : null
  const hasTax = isNumber(taxPercent) && isNumber(net) && isNumber(tax)
  const exception = oneOf(withdrawalExceptions, fields.withdrawalException)
  return {
    ...{ market, goods, delivery: cost, total, ...(hasTax && { taxPercent, net, tax }) },
    ...(exception && { withdrawalException: exception }),
  }
}

/**
 * Whether the market of an order that can be paid decides the words on its button; not while an address is missing that
 * the total depends on.
 */
export const saysDutyToPay = ({ bill, delivery }: OrderView): boolean =>
  delivery !== 'missing' && bill !== undefined && marketRules[bill.market].orderButton === true

/** True while an address is stored whose delivery costs this page has not read yet: the total that it shows is not the one to pay. */
export const isTotalOpen = ({ bill, delivery }: Pick<OrderView, 'bill' | 'delivery'>): boolean =>
  delivery === 'stored' && bill?.delivery === null

/** True where the shopper must see the bill before each payment, so that no step may open the payment by itself. */
export function isBilledFirst({ bill }: Pick<OrderView, 'bill'>): boolean {
  return (
    bill !== undefined &&
    (marketRules[bill.market].orderButton === true || bill.goods !== bill.total || bill.delivery === null)
  )
}
