/** The address of the table of orders, such as `#/orders?sale=mug&status=paid`. */
import { maxDeliveryText } from '../../core/body-limits.ts'
import { parseSaleId, type SaleId } from '../../core/ids.ts'
import { type DisputeState, disputeStates, type OrderStatus, orderStatuses } from '../../core/orders/order.ts'
import { isVariantId } from '../../core/sale/variants.ts'
import { oneOf } from '../../web/wire.ts'

/** The filters of the table. An absent filter matches all orders. */
export type OrdersAsked = {
  sale?: SaleId | undefined
  status?: OrderStatus | undefined
  dispute?: DisputeState | undefined
  variant?: string | undefined
  /** Words of the name that an order is sent to. */
  name?: string | undefined
}

export function addressOfOrders(asked: OrdersAsked): string {
  const query = new URLSearchParams(filtersOf(asked))
  return query.size === 0 ? '#/orders' : `#/orders?${query}`
}

/** Returns the filters that are set, for the query of a call. */
export function filtersOf(asked: OrdersAsked): { [Name in keyof OrdersAsked]: NonNullable<OrdersAsked[Name]> } {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
}

/** Parses the filters in an address. Ignores unknown ones. */
export function parseOrdersQuery(query: string): OrdersAsked {
  const asked = new URLSearchParams(query)
  const variant = asked.get('variant')
  const name = asked.get('name')?.trim().slice(0, maxDeliveryText)
  return {
    sale: parseSaleId(asked.get('sale')),
    status: oneOf(orderStatuses, asked.get('status')),
    dispute: oneOf(disputeStates, asked.get('dispute')),
    variant: variant !== null && isVariantId(variant) ? variant : undefined,
    name: name || undefined,
  }
}
