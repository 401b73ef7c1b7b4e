/**
 * `GET /api/control/sales`: the sales page by page, the latest start first. Archived ones are a
 * list of their own.
 */
import * as z from 'zod/mini'
import { controlApi } from '../../core/api/control.ts'
import { parseSaleId } from '../../core/ids.ts'
import { parse, whole } from '../../core/parse.ts'
import { answerOf, type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { SaleBook, SalePlace } from '../sales/sale-book.ts'

/**
 * Sales of one page, when the caller does not say how many, and at most: each is up to 6 kB of an
 * answer of 6 MB.
 */
const defaultLimit = 50
const maxLimit = 100

const query = z.strictObject({
  limit: z._default(whole(1, maxLimit), defaultLimit),
  after: z.optional(z.string()),
  archived: z._default(z.enum(['true', 'false'], 'must be true or false'), 'false'),
})

/** `next` is the `after` of the next page, null on the last one. Unknown parameters are refused. */
export async function answerSales(
  { sales }: { sales: Pick<SaleBook, 'page'> },
  given: URLSearchParams,
): Promise<HttpAnswer> {
  const { limit: digits, ...others } = Object.fromEntries(given)
  const limit = digits === undefined ? {} : { limit: /^\d{1,9}$/.test(digits) ? Number(digits) : digits }
  const asked = parse(query, { ...others, ...limit })
  if (!asked.ok) return invalid(asked.field, asked.detail)
  const after = asked.value.after === undefined ? undefined : placeOf(asked.value.after)
  if (after === null) return invalid('after', 'after must be the next of another page')
  const list = asked.value.archived === 'true' ? 'archived' : 'current'
  const { sales: page, next } = await sales.page(list, asked.value.limit, after)
  return answerOf(controlApi.listSales, { sales: page, next: next === undefined ? null : cursorOf(next) })
}

function cursorOf({ startsAt, saleId }: SalePlace): string {
  return `${startsAt}.${saleId}`
}

function placeOf(cursor: string): SalePlace | null {
  const [, startsAt, id] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? []
  const saleId = parseSaleId(id)
  return saleId === undefined ? null : { startsAt: Number(startsAt), saleId }
}
