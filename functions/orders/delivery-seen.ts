/** The delivery that an order's sale asks for, and the order's bill, without reading what is stored of its address. */
import type { OrderView } from '../../core/api/shop.ts'
import { orderBillOf } from '../../core/orders/bill.ts'
import type { Order } from '../../core/orders/order.ts'
import { countriesOf } from '../../core/sale/sale.ts'
import type { Offer } from '../lib/offer.ts'
import type { StoredDeliveries } from '../table/people/stored-deliveries.ts'

/** `offer` is that of the order's sale. */
export function asksForAddress(offer: Offer | undefined): boolean {
  return offer !== undefined && countriesOf(offer).length > 0
}

/** `amount` is the total of the bill, where there is one; the checkout of a shop has a bill of its own. */
export function deliverySeen(
  order: Order,
  offer: Offer | undefined,
  stored: StoredDeliveries,
): Pick<OrderView, 'delivery' | 'bill'> & { amount?: number } {
  const { orderId } = order
  const bill = offer && offer.checkoutUrl === undefined && orderBillOf(order, offer, stored.get(orderId))
  return {
    ...(bill && { bill, amount: bill.total }),
    ...(asksForAddress(offer) && { delivery: stored.has(orderId) ? 'stored' : 'missing' }),
  }
}
