/**
 * The sales that the list shows: the first page, asked for again and again, and the older pages
 * that were loaded below it.
 */
import type { SalesPage } from '../../../../core/api/control-answers.ts'
import type { SaleId } from '../../../../core/ids.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import { isBehind, placeInCursor } from '../../../../core/sale/sale-cursor.ts'
import { salesPerPage } from '../../../../core/sale/sale-search.ts'

/** What is shown, in its order, and where more begins. */
export type SaleList = Pick<SalesPage, 'sales' | 'numbers' | 'next'>

/**
 * `list` with the first page as it is now. A sale that belongs on that page and is missing from it
 * was deleted, or is not what the search looks for any more; one that a new sale pushed off that page
 * stays, so that no gap opens above the pages that were loaded.
 */
export function withFirstPage(list: SaleList | undefined, page: SalesPage): SaleList {
  const end = page.next === null ? undefined : placeInCursor(page.next)
  if (list === undefined) return page
  if (end === undefined) return { ...page, ...withNumbers(list, page) }
  const rest = list.sales.filter((sale) => isBehind(sale, end))
  // Nothing below is shown: the page itself says where more begins. The short page of a search does not:
  // the list has looked further.
  if (rest.length === 0 && page.sales.length >= salesPerPage) return { ...page, ...withNumbers(list, page) }
  return { ...withNumbers(list, page), sales: merged(page.sales, rest), next: further(list.next, page.next) }
}

/** `list` with the page that was asked for at its `next`. */
export function withNextPage(list: SaleList, page: SalesPage): SaleList {
  return { ...withNumbers(list, page), sales: merged(page.sales, list.sales), next: page.next }
}

/** The numbers of both, those of the page where it has some. */
const withNumbers = (list: SaleList, page: SalesPage) =>
  (list.numbers ?? page.numbers) === undefined ? {} : { numbers: { ...list.numbers, ...page.numbers } }

/** The one of two cursors that is closer to the end of the list, null being the end. */
function further(one: string | null, other: string | null): string | null {
  const [a, b] = [one, other].map((cursor) => (cursor === null ? undefined : placeInCursor(cursor)))
  if (a === undefined || b === undefined) return null
  return isBehind(a, b) ? one : other
}

/** Each sale once, as `newer` has it, the latest start first. */
function merged(newer: readonly Sale[], older: readonly Sale[]): Sale[] {
  const byId = new Map<SaleId, Sale>([...older, ...newer].map((sale) => [sale.saleId, sale]))
  return [...byId.values()].sort((a, b) => (isBehind(a, b) ? 1 : -1))
}
