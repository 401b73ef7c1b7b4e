/** Reads the orders or packets of a sale, which are spread over parts. */
import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../lib/shop/table.ts'
import { type Item, queryPages } from './query.ts'

/** The attributes to read: a whole order is ten times larger than what a walk needs. */
export type QueriedAttributes = Pick<
  QueryCommandInput,
  'ProjectionExpression' | 'ExpressionAttributeNames' | 'FilterExpression'
>

/** Reads all of `parts` at once, one page ahead of the consumer; pages are unordered and never empty. */
export async function* partPages(
  table: Table,
  parts: readonly string[],
  wanted: QueriedAttributes,
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
