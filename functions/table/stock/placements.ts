/** The databases of sales, as the table has them. */
import type { SaleId } from '../../../core/ids.ts'
import type { Table } from '../../lib/shop/table.ts'
import { findItem } from '../dynamodb.ts'
import { saleKey } from '../keys.ts'
import { readSaleItem } from '../sale/sale-item.ts'

/**
 * The names of a sale's databases, one for each shard; undefined for a sale that is not there. Reads the truth: a
 * sale may have been placed a moment ago by this function. A deleted sale keeps its place, because its stock may
 * still have to be removed.
 */
export async function readPlacements(table: Table, saleId: SaleId): Promise<readonly string[] | undefined> {
  const item = await findItem(table, saleKey(saleId))
  return item && readSaleItem(item).sale.databases
}
