/** Queries and cursors of the lists of orders, such as `GET /api/orders?sale=&limit=&after=`. */
import * as z from 'zod/mini'
import { type OrderId, parseOrderId, parseSaleId, type SaleId } from '../ids.ts'
import { parsedBy, readBy } from '../lib/parse.ts'
import { cursorOfSale, placeInCursor, type SalePlace } from '../sale/sale-cursor.ts'

/** Default and maximum number of orders on a page. The maximum is what one batched read returns. */
const pageSize = { default: 20, max: 50 } as const

/** `after` is where the previous page ended, absent for the first page. */
export type OrderPageQuery = { saleId?: SaleId; limit: number; after?: OrderPlace }

/** The position of an order in the list of its shopper. `reservedAt` is epoch ms. */
export type OrderPlace = { reservedAt: number; orderId: OrderId }

/** Returns the position as the `next` of a page and the `after` of the following one. */
export function cursorOf({ reservedAt, orderId }: OrderPlace): string {
  return `${reservedAt}.${orderId}`
}

export const orderPageQuery = z.strictObject({
  sale: z.optional(readBy(parseSaleId, 'is not a sale id')),
  limit: z._default(parsedBy(readLimit, `must be a whole number from 1 to ${pageSize.max}`), pageSize.default),
  after: z.optional(parsedBy(readCursor, 'is not a cursor that this list gave')),
})

function readLimit(text: string): number | undefined {
  const count = /^[1-9][0-9]?$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= pageSize.max ? count : undefined
}

export function readCursor(text: string): OrderPlace | undefined {
  const [, time, id] = /^([0-9]{1,15})\.(.+)$/.exec(text) ?? []
  const orderId = parseOrderId(id)
  return orderId === undefined ? undefined : { reservedAt: Number(time), orderId }
}

/** The end of a page: at `order` in the list of a sale. In the list of all sales without `order`: after all of `sale`. */
type OrdersPlace = { sale?: SalePlace; order?: OrderPlace }

/** Between sale and order, because a sale id may look like an order id. */
const separator = '~'

/** Returns the position as the `next` of a page of the orders of all sales. */
export function cursorOfOrders(sale: SalePlace, order: OrderPlace | undefined): string {
  return `${cursorOfSale(sale)}${separator}${order === undefined ? '' : cursorOf(order)}`
}

/** Returns the position in a cursor of either list; undefined for other text. */
export function placeInOrders(cursor: string): OrdersPlace | undefined {
  const [first = '', second, ...more] = cursor.split(separator)
  const order = readCursor(second ?? first)
  if (second === undefined) return order && { order }
  const sale = placeInCursor(first)
  if (sale === undefined || more.length > 0 || (second !== '' && order === undefined)) return undefined
  return { sale, ...(order && { order }) }
}
