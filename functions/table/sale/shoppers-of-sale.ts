/** What the table has of shoppers under the key of a sale: they need not have ordered, so no list of orders leads to it. */
import type { SaleId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import type { Table } from '../../lib/shop/table.ts'
import { deleteBatch } from '../batch.ts'
import { entryParts, invitedListPk } from '../keys.ts'
import { partPages } from '../partitions.ts'

/** Keys of a page that are deleted one batch after the other; a page has thousands. */
const inARow = 250

/**
 * Deletes the list of shoppers with an offer and the entries of a draw. Safe to repeat, and a repeat goes on where a call was
 * cut off.
 * @throws when the table is unavailable; a part may be deleted
 */
export async function removeShoppersOf(table: Table, saleId: SaleId): Promise<void> {
  const parts = [invitedListPk(saleId), ...entryParts(saleId)]
  for await (const page of partPages(table, parts, { ProjectionExpression: 'pk, sk' })) {
    const keys = page.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }))
    await Promise.all(slicesOf(keys, inARow).map((some) => deleteBatch(table, some)))
  }
}
