/** The address of the table of orders, such as `#/orders?sale=mug&status=paid`. */
import { parseSaleId, type SaleId } from '../../../../core/ids.ts'
import { type OrderStatus, orderStatuses } from '../../../../core/orders/order.ts'

/** Which orders the table shows: without `sale` those of all, without `status` those of any. */
export type OrdersAsked = { sale?: SaleId | undefined; status?: OrderStatus | undefined }

export function addressOfOrders({ sale, status }: OrdersAsked): string {
  const query = new URLSearchParams({ ...(sale && { sale }), ...(status && { status }) })
  return query.size === 0 ? '#/orders' : `#/orders?${query}`
}

/** The same in the query of an address; what is unknown in it is left out. */
export function ordersIn(query: string): OrdersAsked {
  const asked = new URLSearchParams(query)
  return { sale: parseSaleId(asked.get('sale')), status: statusIn(asked.get('status')) }
}

/** The status that `text` names. */
export function statusIn(text: string | null): OrderStatus | undefined {
  return orderStatuses.find((status) => status === text)
}
