/** How a shopper asks for one page of their own orders: `GET /api/orders?sale=&limit=&after=`. */
import * as z from 'zod/mini'
import { type OrderId, parseOrderId, parseSaleId, type SaleId } from '../ids.ts'
import { parsedBy, readBy } from '../lib/parse.ts'
import { cursorOfSale, placeInCursor, type SalePlace } from '../sale/sale-cursor.ts'

/** Orders on a page unless another number is asked for, and at most: what one batched read takes. */
const pageSize = { default: 20, max: 50 } as const

/** `after` is where the page before ended; absent for the first page. */
export type OrderPageQuery = { saleId?: SaleId; limit: number; after?: OrderPlace }

/** Where an order is on the list of its shopper; `reservedAt` is epoch ms. */
export type OrderPlace = { reservedAt: number; orderId: OrderId }

/** Returns a place as `next` of one page names it and `after` of the following one repeats it. */
export function cursorOf({ reservedAt, orderId }: OrderPlace): string {
  return `${reservedAt}.${orderId}`
}

/** The query of the list. */
export const orderPageQuery = z.strictObject({
  sale: z.optional(readBy(parseSaleId, 'is not a sale id')),
  limit: z._default(parsedBy(readLimit, `must be a whole number from 1 to ${pageSize.max}`), pageSize.default),
  after: z.optional(parsedBy(readCursor, 'is not a cursor that this list gave')),
})

function readLimit(text: string): number | undefined {
  const count = /^[1-9][0-9]?$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= pageSize.max ? count : undefined
}

/** Returns the place in a cursor; undefined for text that is no cursor. */
export function readCursor(text: string): OrderPlace | undefined {
  const [, time, id] = /^([0-9]{1,15})\.(.+)$/.exec(text) ?? []
  const orderId = parseOrderId(id)
  return orderId === undefined ? undefined : { reservedAt: Number(time), orderId }
}

/** Where a page ended: in a sale's list at `order`, in that of all sales also behind all orders of `sale`. */
type OrdersPlace = { sale?: SalePlace; order?: OrderPlace }

/** Between sale and order; the id of a sale may look like that of an order. */
const separator = '~'

/** Returns the place as the `next` of a page of the orders of all sales. */
export function cursorOfOrders(sale: SalePlace, order: OrderPlace | undefined): string {
  return `${cursorOfSale(sale)}${separator}${order === undefined ? '' : cursorOf(order)}`
}

/** Returns the place in a cursor of either list; undefined for text that is no cursor. */
export function placeInOrders(cursor: string): OrdersPlace | undefined {
  const [first = '', second, ...more] = cursor.split(separator)
  const order = readCursor(second ?? first)
  if (second === undefined) return order && { order }
  const sale = placeInCursor(first)
  if (sale === undefined || more.length > 0 || (second !== '' && order === undefined)) return undefined
  return { sale, ...(order && { order }) }
}
