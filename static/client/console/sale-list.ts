/**
 * The sales that the list shows: the first page, asked for again and again, and the older pages
 * that were loaded below it.
 */
import type { SalesPage } from '../../../core/api/control.ts'
import type { SaleId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale.ts'

/** What is shown, in its order, and where more begins. */
export type SaleList = { sales: readonly Sale[]; next: string | null }

type Place = Pick<Sale, 'startsAt' | 'saleId'>

/**
 * `list` with the first page as it is now. A sale that belongs on that page and is missing from it
 * was deleted; one that a new sale pushed off that page stays, so that no gap opens above the pages
 * that were loaded.
 */
export function withFirstPage(list: SaleList | undefined, page: SalesPage): SaleList {
  const last = page.sales.at(-1)
  if (list === undefined || page.next === null || last === undefined) return page
  const rest = list.sales.filter((sale) => isBehind(sale, last))
  // Nothing below was loaded: the page itself says where more begins.
  return rest.length === 0 ? page : { sales: merged(page.sales, rest), next: list.next }
}

/** `list` with the page that was asked for at its `next`. */
export function withNextPage(list: SaleList, page: SalesPage): SaleList {
  return { sales: merged(page.sales, list.sales), next: page.next }
}

/** Each sale once, as `newer` has it, the latest start first. */
function merged(newer: readonly Sale[], older: readonly Sale[]): Sale[] {
  const byId = new Map<SaleId, Sale>([...older, ...newer].map((sale) => [sale.saleId, sale]))
  return [...byId.values()].sort((a, b) => (isBehind(a, b) ? 1 : -1))
}

function isBehind(sale: Place, other: Place): boolean {
  if (sale.startsAt !== other.startsAt) return sale.startsAt < other.startsAt
  return sale.saleId < other.saleId
}
