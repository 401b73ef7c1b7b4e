/**
 * `GET /api/control/sales`: the sales page by page, the latest start first, all of them or those that
 * a search accepts. Archived ones are a list of their own.
 */
import * as z from 'zod/mini'
import { controlApi } from '../../core/api/control.ts'
import { parse, whole } from '../../core/lib/parse.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { cursorOfSale, placeInCursor, type SalePlace } from '../../core/sale/sale-place.ts'
import { finderOf, isEmptySearch, maxFind, salesPerPage, searchStates } from '../../core/sale/sale-search.ts'
import { saleKinds } from '../../core/sale/settings.ts'
import { answerOf, type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { SaleBook, SaleList, SalePage } from '../table/sale/sales.ts'

/** Sales of one page, at most: each is up to 6 kB of an answer of 6 MB. */
const maxLimit = 100

/** Sales that one call reads for a search, at most, and in one step: a batch of DynamoDB. */
const maxRead = 300
const readInStep = 100

const query = z.strictObject({
  limit: z._default(whole(1, maxLimit), salesPerPage),
  after: z.optional(z.string()),
  archived: z._default(z.enum(['true', 'false'], 'must be true or false'), 'false'),
  find: z.optional(z.string().check(z.maxLength(maxFind, `must be at most ${maxFind} characters`))),
  kind: z.optional(z.enum(saleKinds, `must be one of ${saleKinds.join(', ')}`)),
  state: z.optional(z.enum(searchStates, `must be one of ${searchStates.join(', ')}`)),
})

type Sales = Pick<SaleBook, 'page'>

/**
 * `next` is the `after` of the next page, null on the last one. Unknown parameters are refused, and so
 * is one that is given twice.
 */
export async function answerSales(
  { sales, clock }: { sales: Sales; clock: () => number },
  given: URLSearchParams,
): Promise<HttpAnswer> {
  const twice = [...given.keys()].find((key) => given.getAll(key).length > 1)
  if (twice !== undefined) return invalid(twice, `${twice} is given twice`)
  const { limit: digits, ...others } = Object.fromEntries(given)
  const size = digits === undefined ? {} : { limit: /^\d{1,9}$/.test(digits) ? Number(digits) : digits }
  const asked = parse(query, { ...others, ...size })
  if (!asked.ok) return invalid(asked.field, asked.detail)
  const { limit, after: cursor, archived, ...search } = asked.value
  const after = cursor === undefined ? undefined : placeInCursor(cursor)
  if (cursor !== undefined && after === undefined)
    return invalid('after', 'after must be the next of another page')
  const list = archived === 'true' ? 'archived' : 'current'
  const page = isEmptySearch(search)
    ? await sales.page(list, limit, after)
    : await foundPage(sales, list, finderOf(search, clock()), { limit, after })
  return answerOf(controlApi.listSales, {
    sales: page.sales,
    next: page.next === undefined ? null : cursorOfSale(page.next),
  })
}

/**
 * Reads on until `limit` sales are found, but at most `maxRead` sales: with few matches among many sales
 * a page may be short or empty although more come.
 */
async function foundPage(
  sales: Sales,
  list: SaleList,
  isWanted: (sale: Sale) => boolean,
  { limit, after }: { limit: number; after: SalePlace | undefined },
): Promise<SalePage> {
  const found: Sale[] = []
  let place = after
  for (let read = 0; read < maxRead; read += readInStep) {
    const page = await sales.page(list, readInStep, place)
    found.push(...page.sales.filter(isWanted))
    const last = found[limit - 1]
    // Those beyond the limit are read again with the next page.
    if (last !== undefined && found.length > limit) return { sales: found.slice(0, limit), next: last }
    if (page.next === undefined) return { sales: found }
    place = page.next
    if (last !== undefined) break
  }
  return place === undefined ? { sales: found } : { sales: found, next: place }
}
