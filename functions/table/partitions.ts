/** Reads and removes the items of a sale that are spread over parts, such as orders or packets. */
import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { slicesOf } from '../../core/lib/slices.ts'
import type { Table } from '../lib/shop/shop.ts'
import { deleteBatch } from './batch.ts'
import { type Item, queryPages } from './query.ts'

/** The attributes to read: a whole order is ten times larger than what a scan needs. */
export type QueriedAttributes = Pick<
  QueryCommandInput,
  'ProjectionExpression' | 'ExpressionAttributeNames' | 'FilterExpression'
>

/** Reads all of `parts` concurrently, one page ahead of the consumer; pages are unordered and never empty. */
export async function* partPages(
  table: Table,
  parts: readonly string[],
  attributes: QueriedAttributes,
): AsyncGenerator<readonly Item[]> {
  const read = async (part: AsyncGenerator<readonly Item[]>) => ({ part, page: await part.next() })
  const pending = new Map(
    parts.map((pk) => {
      const part = queryPages(table, {
        KeyConditionExpression: 'pk = :part',
        ExpressionAttributeValues: { ':part': pk },
        ConsistentRead: true,
        ...attributes,
      })
      return [part, read(part)]
    }),
  )
  while (pending.size > 0) {
    const { part, page } = await Promise.race(pending.values())
    if (page.done) {
      pending.delete(part)
      continue
    }
    if (page.value.length > 0) yield page.value
    pending.set(part, read(part))
  }
}

/** Keys of a page that are deleted in consecutive batches; a page has thousands. */
const keysPerChunk = 250

/**
 * Removes all items of `parts`. Safe to repeat; a repeat continues an interrupted call.
 * @throws when the table is unavailable; some items may be deleted
 */
export async function removeParts(table: Table, parts: readonly string[]): Promise<void> {
  for await (const page of partPages(table, parts, { ProjectionExpression: 'pk, sk' })) {
    const keys = page.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }))
    await Promise.all(slicesOf(keys, keysPerChunk).map((some) => deleteBatch(table, some)))
  }
}
