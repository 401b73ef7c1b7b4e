/**
 * The lists of warmed sales, drafts and archived sales, each by the start of the sale. A shop may have ten thousand sales, so a
 * caller asks for ids, or for a part of a list.
 */
import type { SaleId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { SalePlace } from '../../../core/sale/sale-cursor.ts'
import { matcherFor, mayMatch, nearMs, type SaleSearch } from '../../../core/sale/sale-search.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { readBatch } from '../batch.ts'
import { archivedSalesList, draftsList, readSalePlace, saleKey, salePlace, saleStart, salesList } from '../keys.ts'
import { type EntryQuery, type ListEntry, readEntries, readEntriesOf, readEntryItems } from '../list.ts'
import { isDeleted, readSaleItem } from './sale-item.ts'

/** A sale moves from `current` to `archived` once its keys are removed from Redis. */
export type SaleList = 'current' | 'archived'

/** A page of sales. `next` is the place of the last sale, undefined on the last page. */
export type SalePage = { sales: readonly Sale[]; next?: SalePlace }

/** Returns the ids of all sales that are not archived: drafts, and warmed ones, which have keys in Redis. */
export async function currentSaleIds(table: Table): Promise<{ warmed: SaleId[]; drafts: SaleId[] }> {
  const [warmed, drafts] = await Promise.all([readEntries(table, salesList), readEntries(table, draftsList)])
  return { warmed: idsIn(warmed), drafts: idsIn(drafts) }
}

const idsIn = (entries: readonly ListEntry[]): SaleId[] => [
  ...new Set(entries.map(({ listSk }) => readSalePlace(listSk).saleId)),
]

/** Returns the ids of warmed sales by start: those before `startsAt` (epoch ms), the last first, or the others. */
export async function warmedSaleIds(
  table: Table,
  side: Side,
  startsAt: number,
  limit?: number,
): Promise<readonly SaleId[]> {
  return idsIn(await readSide(table, side, startsAt, limit))
}

/** Returns the same sales as `warmedSaleIds`, in the same order. */
export async function warmedSales(
  table: Table,
  side: Side,
  startsAt: number,
  limit?: number,
): Promise<readonly Sale[]> {
  const items = await readEntryItems(table, await readSide(table, side, startsAt, limit))
  return items.map((item) => readSaleItem(item).sale).filter(({ warmed }) => warmed)
}

/** The maximum of sales that are scanned for those that start within a time. */
const maxStarting = 1000

/** Returns the warmed sales that start from `from` until before `until` (epoch ms), in that order. */
export async function salesStartingWithin(table: Table, from: number, until: number): Promise<readonly Sale[]> {
  const entries = await readSide(table, 'from', from, maxStarting)
  const within = entries.filter(({ listSk }) => listSk < saleStart(until))
  return (await salesAt(table, within)).filter(({ warmed }) => warmed)
}

type Side = 'before' | 'from'

function readSide(table: Table, side: Side, startsAt: number, limit?: number) {
  const bound = saleStart(startsAt)
  const query: EntryQuery = side === 'before' ? { before: bound } : { from: bound, isAscending: true }
  return readEntries(table, salesList, { ...query, ...(limit !== undefined && { limit }) })
}

/** Returns those sales that are not archived, unordered; one batched read for up to 100. */
export async function findCurrentSales(table: Table, saleIds: readonly SaleId[]): Promise<readonly Sale[]> {
  const items = await readBatch(table, saleIds.map(saleKey))
  return items
    .filter((item) => !isDeleted(item) && item.listPk !== archivedSalesList)
    .map((item) => readSaleItem(item).sale)
}

/**
 * Returns at most `limit` sales of one list after `after`, the latest start first. A page may be shorter, because the list lags
 * behind the sales; only `next` says whether more follow.
 */
export async function pageOfSales(
  table: Table,
  list: SaleList,
  limit: number,
  after: SalePlace | undefined,
): Promise<SalePage> {
  const { entries, last } = await readEntriesOf(table, listsOf(list), limit, after && salePlace(after))
  const sales = await salesAt(table, entries)
  return last === undefined ? { sales } : { sales, next: placeAt(last) }
}

/** Returns a page of places of sales that were warmed once, including archived ones. */
export async function placesOfWarmed(
  table: Table,
  limit: number,
  after: SalePlace | undefined,
): Promise<{ places: readonly SalePlace[]; hasMore: boolean }> {
  const lists = [salesList, archivedSalesList]
  const { entries, last } = await readEntriesOf(table, lists, limit, after && salePlace(after))
  return { places: entries.map(({ listSk }) => placeAt(listSk)), hasMore: last !== undefined }
}

/** Limits of one search: sales read, sales per read (a batch of DynamoDB), and entries scanned for their titles. */
const maxRead = 300
const readPerStep = 100
const maxScanned = 10_000

/**
 * Returns a page of the sales that match `search` at `now` (epoch ms). A search for words scans the titles in the lists and
 * reads the candidates. If one call cannot scan enough sales, a page may be short or empty although more follow.
 */
export async function searchSales(
  table: Table,
  list: SaleList,
  search: SaleSearch,
  { limit, after, now }: { limit: number; after: SalePlace | undefined; now: number },
): Promise<SalePage> {
  const isMatch = matcherFor(search, now)
  // No sale that starts later is open, or near.
  const ahead = search.state === 'live' ? 0 : search.state === 'near' ? nearMs : undefined
  const first = ahead === undefined ? undefined : saleStart(now + ahead + 1)
  const before = after === undefined ? first : salePlace(after)
  const lists = listsOf(list).filter((name) => name !== draftsList || !excludesDrafts(search))
  const { entries, last } = await readEntriesOf(table, lists, scanLimit(search), before)
  const matching = entries.filter(({ listSk }) => mayMatch(search, readSalePlace(listSk)))
  const found: Sale[] = []
  let read = 0
  while (read < Math.min(matching.length, maxRead) && found.length <= limit) {
    const some = matching.slice(read, read + readPerStep)
    read += some.length
    found.push(...(await salesAt(table, some)).filter(isMatch))
  }
  // The next page reads the sales beyond the limit again.
  const lastShown = found[limit - 1]
  if (lastShown !== undefined && found.length > limit) return { sales: found.slice(0, limit), next: lastShown }
  const nextPlace = read < matching.length ? matching[read - 1]?.listSk : last
  return nextPlace === undefined ? { sales: found } : { sales: found, next: placeAt(nextPlace) }
}

/** Returns the maximum of entries to scan. Without words each sale must be read. */
const scanLimit = ({ find = '' }: SaleSearch) => (find.trim() === '' ? maxRead : maxScanned)

/** True when no draft can be in the requested state. */
const excludesDrafts = ({ state }: SaleSearch) => state === 'scheduled' || state === 'live' || state === 'paused'

const listsOf = (list: SaleList) => (list === 'archived' ? [archivedSalesList] : [salesList, draftsList])

const placeAt = (listSk: string): SalePlace => {
  const { saleId, startsAt } = readSalePlace(listSk)
  return { saleId, startsAt }
}

async function salesAt(table: Table, entries: readonly ListEntry[]): Promise<readonly Sale[]> {
  return (await readEntryItems(table, entries)).map((item) => readSaleItem(item).sale)
}
