/** How staff asks for a page of the orders of a sale, or of all sales: `GET /api/control/orders?sale=&status=&after=`. */
import { cursorOfSale, placeInCursor, type SalePlace } from '../sale/sale-cursor.ts'
import { cursorOf, type OrderPlace, readCursor } from './order-page.ts'

/**
 * Where a page ended. In the list of one sale: at `order`. In that of all sales: at `order` of `sale`, or behind all
 * orders of `sale`.
 */
export type OrdersPlace = { sale?: SalePlace; order?: OrderPlace }

/** Between sale and order; the id of a sale may look like that of an order. */
const sign = '~'

/** The place as the `next` of a page of the orders of all sales. */
export function cursorOfOrders(sale: SalePlace, order: OrderPlace | undefined): string {
  return `${cursorOfSale(sale)}${sign}${order === undefined ? '' : cursorOf(order)}`
}

/** The place in a cursor of either list; undefined for text that is no cursor. */
export function placeInOrders(cursor: string): OrdersPlace | undefined {
  const [first = '', second, ...more] = cursor.split(sign)
  const order = readCursor(second ?? first)
  if (second === undefined) return order && { order }
  const sale = placeInCursor(first)
  if (sale === undefined || more.length > 0 || (second !== '' && order === undefined)) return undefined
  return { sale, ...(order && { order }) }
}
