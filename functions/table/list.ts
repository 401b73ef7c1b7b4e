/**
 * Lists of the table, such as sales and due refunds. The index stores only list membership, because
 * every write of an order pays for what the index stores; the items are read from the table, so
 * they are current, though the list is eventually consistent.
 */
import { readBatch } from './batch.ts'
import type { Table } from './dynamodb.ts'
import { type ItemKey, listIndex } from './keys.ts'
import { type Item, queryPages } from './query.ts'

/**
 * The items on the list `listPk`, in order. An item that moves during the read may appear twice,
 * and DynamoDB refuses a batch that asks for it twice.
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
 * At most `limit` items of the list `listPk`, last first, of those before `before`. `last` is the
 * place of the last one read, undefined at the end of the list; an item that left its place is left
 * out.
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
    // One more shows whether the list continues.
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
