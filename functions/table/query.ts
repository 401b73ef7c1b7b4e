/** Queries that may exceed one answer of DynamoDB, 1 MB. */
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../lib/shop/shop.ts'
import { type Item, withItemReader } from './wire-items.ts'

export type { Item } from './wire-items.ts'

export type Query = Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey'>

/** The items of a query, page by page on demand; behind the one with the keys `after`, where that is given. */
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

/** All items of a query that is known to fit in memory. */
export async function queryAll(table: Table, query: Query): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const page of queryPages(table, query)) items.push(...page)
  return items
}

/** All items with that `pk`, in the order of `sk`. Never a stale copy. */
export function queryPartition(table: Table, pk: string): Promise<readonly Item[]> {
  return queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  })
}
