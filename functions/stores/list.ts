/**
 * Whole lists of the table: sales, refunds that are due. The index says only what is on a list, for
 * every write of an order pays for what the index keeps; the items themselves are read from the table, so they are as
 * new as it is, though the list may lag a moment behind.
 */
import { readBatch } from './batch.ts'
import type { Table } from './dynamodb.ts'
import { type Item, queryPages } from './query.ts'
import { type ItemKey, listIndex } from './table.ts'

/**
 * The items on the list `listPk`, in its order. An item whose place moves while the pages are read may be met twice, and
 * DynamoDB refuses a batch that asks for it twice.
 */
export async function readList(table: Table, listPk: string): Promise<readonly Item[]> {
  const keys = new Map<string, ItemKey>()
  const pages = queryPages(table, {
    IndexName: listIndex,
    KeyConditionExpression: 'listPk = :list',
    ExpressionAttributeValues: { ':list': listPk },
  })
  for await (const page of pages) {
    for (const { pk, sk } of page) keys.set(`${pk} ${sk}`, { pk: String(pk), sk: String(sk) })
  }
  const found = await readBatch(table, [...keys.values()])
  const onList = found.filter((item) => item.listPk === listPk)
  return onList.sort((a, b) => compare(a.listSk, b.listSk) || compare(a.pk, b.pk))
}

/**
 * At most `limit` items of the list `listPk`, the last of the list first, of those before `before`. `last` is the place of the
 * last one read, undefined when the list ends there; an item that left its place meanwhile is left out.
 */
export async function readListPage(
  table: Table,
  listPk: string,
  limit: number,
  before: string | undefined,
): Promise<{ items: readonly Item[]; last?: string }> {
  const found: Item[] = []
  const pages = queryPages(table, {
    IndexName: listIndex,
    KeyConditionExpression: before === undefined ? 'listPk = :list' : 'listPk = :list AND listSk < :before',
    ExpressionAttributeValues: { ':list': listPk, ...(before !== undefined && { ':before': before }) },
    ScanIndexForward: false,
    // One more says whether the list goes on.
    Limit: limit + 1,
  })
  for await (const page of pages) {
    found.push(...page)
    if (found.length > limit) break
  }
  const places = found.slice(0, limit)
  const there = await readBatch(
    table,
    places.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })),
  )
  const byPlace = new Map(there.map((item) => [`${item.listPk} ${item.listSk}`, item]))
  const items = places
    .map(({ listSk }) => byPlace.get(`${listPk} ${listSk}`))
    .filter((item) => item !== undefined)
  const last = found.length > limit ? places.at(-1)?.listSk : undefined
  return last === undefined ? { items } : { items, last: String(last) }
}

function compare(a: unknown, b: unknown): number {
  return String(a) === String(b) ? 0 : String(a) < String(b) ? -1 : 1
}
