/** Queries that may exceed one answer of DynamoDB, 1 MB. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../lib/shop/shop.ts'

export type Item = Record<string, unknown>

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
    const { Items = [], LastEvaluatedKey } = await client.send(readHere(command))
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
export function allOf(table: Table, pk: string): Promise<readonly Item[]> {
  return queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  })
}

/**
 * The same command, whose items are read here. The document client walks each value through lists of its entries, which
 * takes several times as long: a page of 1 MB has 20,000 values.
 */
function readHere(command: QueryCommand): QueryCommand {
  // What the document client reads of an answer.
  Object.assign(command, { outputKeyNodes: { LastEvaluatedKey: {} } })
  command.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args)
      const { Items } = answer.output
      return { ...answer, output: { ...answer.output, Items: Items?.map(itemOf) } }
    },
    // In the place of the SDK's logger, which copies each value of an answer and drops the copy.
    { step: 'initialize', name: 'loggerMiddleware', override: true },
  )
  return command
}

function itemOf(attributes: Record<string, AttributeValue>): Item {
  const item: Item = {}
  for (const name in attributes) item[name] = valueIn(attributes[name])
  return item
}

/** @throws TypeError for a value of a type that no store writes */
function valueIn(attribute: AttributeValue | undefined): unknown {
  if (attribute?.S !== undefined) return attribute.S
  if (attribute?.N !== undefined) return Number(attribute.N)
  if (attribute?.L !== undefined) return attribute.L.map(valueIn)
  if (attribute?.M !== undefined) return itemOf(attribute.M)
  if (attribute?.BOOL !== undefined) return attribute.BOOL
  if (attribute?.B !== undefined) return attribute.B
  if (attribute?.NULL === true) return null
  throw new TypeError(`no store writes values like ${JSON.stringify(attribute)}`)
}
