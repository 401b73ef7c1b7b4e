/** How a shopper asks for one page of their own orders: `GET /api/orders?sale=&limit=&after=`. */
import { type OrderId, parseOrderId, parseSaleId, type SaleId } from '../ids.ts'
import type { Parsed } from '../lib/parse.ts'

/**
 * Orders on a page: unless another number is asked for, and at most. One batched read takes a page
 * and as many reservations.
 */
const pageSize = { usual: 20, most: 50 } as const

/** `after` is where the page before ended; absent for the first page. */
export type OrderPageQuery = { saleId?: SaleId; limit: number; after?: OrderPlace }

/** Where an order is on the list of its shopper; `reservedAt` is epoch ms. */
export type OrderPlace = { reservedAt: number; orderId: OrderId }

/** A place as `next` of one page names it and `after` of the following one repeats it. */
export function cursorOf({ reservedAt, orderId }: OrderPlace): string {
  return `${reservedAt}.${orderId}`
}

const names = ['sale', 'limit', 'after']

export function readPageQuery(query: URLSearchParams): Parsed<OrderPageQuery> {
  for (const name of query.keys()) {
    if (!names.includes(name)) return fault(name, 'is not a parameter of this list')
    if (query.getAll(name).length > 1) return fault(name, 'must be given once')
  }
  const [sale, limit, after] = names.map((name) => query.get(name))
  const saleId = sale == null ? undefined : parseSaleId(sale)
  if (sale != null && saleId === undefined) return fault('sale', 'is not a sale id')
  const count = limit == null ? pageSize.usual : readLimit(limit)
  if (count === undefined) return fault('limit', `must be a whole number from 1 to ${pageSize.most}`)
  const place = after == null ? undefined : readCursor(after)
  if (after != null && place === undefined) return fault('after', 'is not a cursor that this list gave')
  return {
    ok: true,
    value: { limit: count, ...(saleId && { saleId }), ...(place && { after: place }) },
  }
}

function readLimit(text: string): number | undefined {
  const count = /^[1-9][0-9]?$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= pageSize.most ? count : undefined
}

/** The place in a cursor; undefined for text that is no cursor. */
export function readCursor(text: string): OrderPlace | undefined {
  const [, time, id] = /^([0-9]{1,15})\.(.+)$/.exec(text) ?? []
  const orderId = parseOrderId(id)
  return orderId === undefined ? undefined : { reservedAt: Number(time), orderId }
}

function fault(field: string, what: string): Parsed<never> {
  return { ok: false, field, detail: `${field} ${what}` }
}
