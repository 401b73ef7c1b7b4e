/**
 * Lists of the table, such as sales and due refunds. The index stores only list membership, because every write of an order
 * pays for what the index stores; the items are read from the table, so they are current, although the list is eventually
 * consistent.
 */
import type { Table } from '../lib/shop/shop.ts'
import { readBatch } from './batch.ts'
import { type ItemKey, type ListKey, listIndex } from './keys.ts'
import { type Item, queryPages } from './query.ts'

export type ListEntry = ItemKey & ListKey

/** Selects at most `limit` entries, those before `before` or from `from` on, the last first unless `isAscending`. */
export type EntryQuery = { limit?: number; before?: string; from?: string; isAscending?: true }

/** Returns entries of the list `listPk` in order, without their items. */
export async function readEntries(
  table: Table,
  listPk: string,
  { limit = Number.POSITIVE_INFINITY, before, from, isAscending }: EntryQuery = {},
): Promise<readonly ListEntry[]> {
  const bound = before === undefined ? (from === undefined ? '' : ' AND listSk >= :place') : ' AND listSk < :place'
  const place = before ?? from
  const found: ListEntry[] = []
  const pages = queryPages(table, {
    IndexName: listIndex,
    KeyConditionExpression: `listPk = :list${bound}`,
    ExpressionAttributeValues: { ':list': listPk, ...(place !== undefined && { ':place': place }) },
    ScanIndexForward: isAscending === true,
    ...(limit !== Number.POSITIVE_INFINITY && { Limit: limit }),
  })
  for await (const page of pages) {
    for (const { pk, sk, listSk } of page)
      found.push({ pk: String(pk), sk: String(sk), listPk, listSk: String(listSk) })
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}

/**
 * Returns at most `limit` entries of several lists merged into one, the last first, of those before `before`. `last` is the
 * place of the last one, undefined at the end of the lists.
 */
export async function readEntriesOf(
  table: Table,
  listPks: readonly string[],
  limit: number,
  before: string | undefined,
): Promise<{ entries: readonly ListEntry[]; last?: string }> {
  // One more shows whether the lists continue.
  const query: EntryQuery = { limit: limit + 1, ...(before !== undefined && { before }) }
  const lists = await Promise.all(listPks.map((listPk) => readEntries(table, listPk, query)))
  const found = lists.flat().toSorted((a, b) => compare(b.listSk, a.listSk) || compare(b.pk, a.pk))
  const entries = found.slice(0, limit)
  const last = found.length > limit ? entries.at(-1)?.listSk : undefined
  return last === undefined ? { entries } : { entries, last }
}

/** Returns the items of `entries` in order; skips those that have left their place. */
export async function readEntryItems(table: Table, entries: readonly ListEntry[]): Promise<readonly Item[]> {
  const found = await readBatch(table, keysOf(entries))
  const byPlace = new Map(found.map((item) => [placeOf(item), item]))
  return entries.map((entry) => byPlace.get(placeOf(entry))).filter((item) => item !== undefined)
}

/** Returns the items on the list `listPk` in order, each once, because DynamoDB refuses a batch with a duplicate key. */
export async function readList(table: Table, listPk: string): Promise<readonly Item[]> {
  const found = await readBatch(table, keysOf(await readEntries(table, listPk, { isAscending: true })))
  const onList = found.filter((item) => item.listPk === listPk)
  return onList.sort((a, b) => compare(a.listSk, b.listSk) || compare(a.pk, b.pk))
}

const keysOf = (entries: readonly ListEntry[]): ItemKey[] => [
  ...new Map(entries.map(({ pk, sk }) => [`${pk} ${sk}`, { pk, sk }])).values(),
]

const placeOf = ({ pk, sk, listPk, listSk }: Item) => [pk, sk, listPk, listSk].join(' ')

function compare(a: unknown, b: unknown): number {
  return String(a) === String(b) ? 0 : String(a) < String(b) ? -1 : 1
}
