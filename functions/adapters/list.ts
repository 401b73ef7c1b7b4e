/**
 * The lists of the table: sales, a shopper's orders, refunds that are due. The index says only what is on a list, for
 * every write of an order pays for what the index keeps; the items themselves are read from the table, so they are as
 * new as it is, though the list may lag a moment behind.
 */
import { readBatch } from './batch.ts'
import type { Table } from './dynamodb.ts'
import { type Item, queryPages } from './query.ts'
import { type ItemKey, listIndex } from './table.ts'

/** `newestFirst` turns the order of the list round; `limit` is the most items read, all when absent. */
export type ListOptions = { newestFirst?: boolean; limit?: number }

/**
 * The items on the list `listPk`, in its order. An item whose place moves while the pages are read may be met twice, and
 * DynamoDB refuses a batch that asks for it twice.
 */
export async function readList(
  table: Table,
  listPk: string,
  { newestFirst = false, limit }: ListOptions = {},
): Promise<readonly Item[]> {
  const keys = new Map<string, ItemKey>()
  const pages = queryPages(table, {
    IndexName: listIndex,
    KeyConditionExpression: 'listPk = :list',
    ExpressionAttributeValues: { ':list': listPk },
    ScanIndexForward: !newestFirst,
    ...(limit !== undefined && { Limit: limit }),
  })
  for await (const page of pages) {
    for (const { pk, sk } of page) keys.set(`${pk} ${sk}`, { pk: String(pk), sk: String(sk) })
    if (limit !== undefined && keys.size >= limit) break
  }
  const found = await readBatch(table, [...keys.values()])
  const onList = found.filter((item) => item.listPk === listPk)
  const inOrder = onList.sort((a, b) => compare(a.listSk, b.listSk) || compare(a.pk, b.pk))
  return newestFirst ? inOrder.reverse() : inOrder
}

function compare(a: unknown, b: unknown): number {
  return String(a) === String(b) ? 0 : String(a) < String(b) ? -1 : 1
}
