/** A page of `GET /api/control/sales`, from `unknown` to the console's type. */
import { fieldsOf } from '../wire.ts'
import { readList } from './read.ts'
import { readSale } from './read-sale.ts'
import type { SalesPage } from './sale-list.ts'

export function readSalesPage(body: unknown): SalesPage | undefined {
  const sales = readList(body, 'sales', readSale)
  const next = fieldsOf(body)?.next
  if (sales === undefined || (next !== null && typeof next !== 'string')) return undefined
  return { sales, next }
}
