/** The databases of sales, as the table has them. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { SaleId } from '../../../core/ids.ts'
import type { Table } from '../../lib/shop/table.ts'
import { saleKey } from '../keys.ts'
import { readSaleItem } from '../sale/sale-item.ts'

/**
 * The names of a sale's databases, one for each shard; undefined for a sale that is not there. Reads the truth: a
 * sale may have been placed a moment ago by this function. A deleted sale keeps its place, because its stock may
 * still have to be removed.
 */
export async function readPlacements(
  { client, name }: Table,
  saleId: SaleId,
): Promise<readonly string[] | undefined> {
  const get = new GetCommand({ TableName: name, Key: saleKey(saleId), ConsistentRead: true })
  const { Item } = await client.send(get)
  return Item === undefined ? undefined : readSaleItem(Item).sale.databases
}
