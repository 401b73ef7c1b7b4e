/**
 * The entries of a draw, an item for each entrant with the latest change. An item is written under the condition that it has the
 * change before, so two requests of one shopper never make the same one.
 */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { parseShopperId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { readBy } from '../../../core/lib/parse.ts'
import type { Table } from '../../lib/shop/table.ts'
import { readBatch } from '../batch.ts'
import { findItem, hasHeld, readStored, UnexpectedItem } from '../dynamodb.ts'
import { drawEntryKey, entryParts } from '../keys.ts'
import { partPages } from '../partitions.ts'

/** `changes` counts the changes so far, of which `receipt` and `variant` are those of the last; `variant` is a number from 1, or 0 once the shopper left. */
const entry = z.object({
  shopperId: readBy(parseShopperId, 'must be a shopper id'),
  changes: z.number(),
  variant: z.number(),
  receipt: z.string(),
})
export type DrawnEntry = z.infer<typeof entry>

/** By the id in hexadecimal. @throws when the table is unavailable, UnexpectedItem */
export async function findEntry(table: Table, saleId: SaleId, id: string): Promise<DrawnEntry | undefined> {
  const item = await findItem(table, drawEntryKey(saleId, id))
  return item && readEntry(item)
}

/** The shoppers behind these ids. @throws when the table is unavailable, UnexpectedItem for one that is missing */
export async function shoppersOfEntries(
  table: Table,
  saleId: SaleId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShopperId>> {
  const items = await readBatch(
    table,
    ids.map((id) => drawEntryKey(saleId, id)),
  )
  const found = new Map(items.map((item) => [String(item.sk), readEntry(item).shopperId]))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw new UnexpectedItem('an entry of a draw', `${missing} is missing`)
  return found
}

/** All entries, each with its id in hexadecimal, page by page and unordered. */
export async function* entryPages(
  table: Table,
  saleId: SaleId,
): AsyncGenerator<readonly (DrawnEntry & { id: string })[]> {
  for await (const page of partPages(table, entryParts(saleId), {}))
    yield page.map((item) => ({ id: String(item.sk), ...readEntry(item) }))
}

const readEntry = (item: unknown) => readStored('an entry of a draw', entry, item)

/** Saves an entry over the change before; false where another request was first. @throws when the table is unavailable: then it may have been saved */
export function saveEntry({ client, name }: Table, saleId: SaleId, id: string, next: DrawnEntry): Promise<boolean> {
  const put = new PutCommand({
    TableName: name,
    Item: { ...drawEntryKey(saleId, id), ...next },
    ...(next.changes === 1
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'changes = :before', ExpressionAttributeValues: { ':before': next.changes - 1 } }),
  })
  return hasHeld(client.send(put))
}
