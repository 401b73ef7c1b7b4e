/** Queries whose results may exceed one answer of DynamoDB, 1 MB. */
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../lib/shop/shop.ts'
import { type Item, withItemReader } from './wire-items.ts'

export type { Item } from './wire-items.ts'

export type Query = Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey'>

/** Yields the items of a query page by page, on demand, after the item with the keys `after`, if given. */
export async function* queryPages(
  { client, name }: Table,
  query: Query,
  after?: Item,
): AsyncGenerator<readonly Item[]> {
  let start = after
  do {
    const command = new QueryCommand({ ...query, TableName: name, ExclusiveStartKey: start })
    const { Items = [], LastEvaluatedKey } = await client.send(withItemReader(command))
    yield Items
    start = LastEvaluatedKey
  } while (start !== undefined)
}

/** Returns all items of a query that is known to fit in memory. */
export async function queryAll(table: Table, query: Query): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const page of queryPages(table, query)) items.push(...page)
  return items
}

/** Returns all items with that `pk` in the order of `sk`; strongly consistent. */
export function queryPartition(table: Table, pk: string): Promise<readonly Item[]> {
  return queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  })
}
