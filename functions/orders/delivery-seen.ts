/** Whether an order has the delivery that its sale asks for, without reading what is stored. */
import type { OrderView } from '../../core/api/shop.ts'
import type { OrderId } from '../../core/ids.ts'
import { countriesOf } from '../../core/sale/sale.ts'
import type { Offer } from '../lib/offer.ts'

/** `offer` is that of the order's sale. */
export function asksForAddress(offer: Offer | undefined): boolean {
  return offer !== undefined && countriesOf(offer).length > 0
}

export function deliverySeen(
  orderId: OrderId,
  offer: Offer | undefined,
  stored: ReadonlySet<OrderId>,
): Pick<OrderView, 'delivery'> {
  if (!asksForAddress(offer)) return {}
  return { delivery: stored.has(orderId) ? 'stored' : 'missing' }
}
