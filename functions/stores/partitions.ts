/** Walks over the orders or packets of a sale, which lie in parts. */
import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Table } from './dynamodb.ts'
import { type Item, queryPages } from './query.ts'

/** What is asked of each item: an order is ten times what a walk wants to know of it. */
type Wanted = Pick<
  QueryCommandInput,
  'ProjectionExpression' | 'ExpressionAttributeNames' | 'FilterExpression'
>

/**
 * Reads all `parts` at once, a page ahead of the consumer. Pages come in no order, and none is
 * empty.
 */
export async function* partPages(
  table: Table,
  parts: readonly string[],
  wanted: Wanted,
): AsyncGenerator<readonly Item[]> {
  const read = async (part: AsyncGenerator<readonly Item[]>) => ({ part, page: await part.next() })
  const coming = new Map(
    parts.map((pk) => {
      const part = queryPages(table, {
        KeyConditionExpression: 'pk = :part',
        ExpressionAttributeValues: { ':part': pk },
        ConsistentRead: true,
        ...wanted,
      })
      return [part, read(part)]
    }),
  )
  while (coming.size > 0) {
    const { part, page } = await Promise.race(coming.values())
    if (page.done) {
      coming.delete(part)
      continue
    }
    if (page.value.length > 0) yield page.value
    coming.set(part, read(part))
  }
}
