/**
 * The entries of a draw, an item for each entrant with all of its changes: the list of the draw has a record of each. An
 * item is written under the condition that it is as it was read, so two requests of one shopper never share a place.
 */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { parseShopperId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { readBy } from '../../../core/lib/parse.ts'
import type { Table } from '../../lib/shop/table.ts'
import { readBatch } from '../batch.ts'
import { findItem, hasHeld, readStored, UnexpectedItem } from '../dynamodb.ts'
import { drawEntryKey, entryParts, groupKey } from '../keys.ts'
import { partPages } from '../partitions.ts'
import { attempt, type TransactionItem } from '../transaction.ts'

/** `at` is epoch ms; `record` has the bytes of docs/reference/draw.md, "Records", in base64: transactions take no bytes. */
const change = z.object({
  at: z.number(),
  record: z.pipe(
    z.string().check(z.regex(/^[A-Za-z0-9+/]{86}==$/)),
    z.transform((text): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'))),
  ),
})
const entry = z.object({
  shopperId: readBy(parseShopperId, 'must be a shopper id'),
  changes: z.array(change).check(z.minLength(1)),
  receipt: z.string(),
  group: z.optional(z.string()),
})
/** `receipt` is that of the last change; `group` the name that the shopper gave. */
export type DrawnEntry = z.infer<typeof entry>

/** By the id in hexadecimal. @throws when the table is unavailable, UnexpectedItem */
export async function findEntry(table: Table, saleId: SaleId, id: string): Promise<DrawnEntry | undefined> {
  const item = await findItem(table, drawEntryKey(saleId, id))
  return item && readEntry(item)
}

/** The shoppers behind these ids. @throws when the table is unavailable, UnexpectedItem for one that is missing */
export async function shoppersOfEntries(
  table: Table,
  saleId: SaleId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShopperId>> {
  const items = await readBatch(
    table,
    ids.map((id) => drawEntryKey(saleId, id)),
  )
  const found = new Map(items.map((item) => [String(item.sk), readEntry(item).shopperId]))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw new UnexpectedItem('an entry of a draw', `${missing} is missing`)
  return found
}

/** All entries, each with its id in hexadecimal, page by page and unordered. */
export async function* entryPages(
  table: Table,
  saleId: SaleId,
): AsyncGenerator<readonly { id: string; changes: DrawnEntry['changes'] }[]> {
  for await (const page of partPages(table, entryParts(saleId), {}))
    yield page.map((item) => ({ id: String(item.sk), changes: readEntry(item).changes }))
}

const readEntry = (item: unknown) => readStored('an entry of a draw', entry, item)

/** A group by the bytes in its records, in hexadecimal. */
type GroupChange = { joins?: string | undefined; leaves?: string | undefined; most: number }

type EntrySaved = 'saved' | 'changed-meanwhile' | 'group-full' | 'busy'

/**
 * Saves an entry whose item had so many changes `before`, and its place in groups, or nothing.
 * @throws when the table is unavailable: then it may have been saved
 */
export async function saveEntry(
  table: Table,
  saleId: SaleId,
  { id, before, next, groups }: { id: string; before: number; next: DrawnEntry; groups: GroupChange },
): Promise<EntrySaved> {
  const { joins, leaves, most } = groups
  const Item = { ...drawEntryKey(saleId, id), ...stored(next), revision: next.changes.length }
  const put = putOver(table, before, Item)
  if (joins === undefined && leaves === undefined)
    return (await hasHeld(table.client.send(new PutCommand(put)))) ? 'saved' : 'changed-meanwhile'
  const items: TransactionItem[] = [
    { Put: put },
    ...(joins === undefined ? [] : [await joining(table, saleId, { id, group: joins, most })]),
    ...(leaves === undefined || leaves === joins ? [] : [await leaving(table, saleId, id, leaves)]),
  ]
  if (items.includes(full)) return 'group-full'
  const tried = await attempt(table, items)
  if (tried.kind === 'written') return 'saved'
  if (tried.kind === 'unavailable') throw tried.cause
  return tried.kind === 'busy' ? 'busy' : 'changed-meanwhile'
}

const stored = ({ changes, ...rest }: DrawnEntry) => ({
  ...rest,
  changes: changes.map(({ at, record }) => ({ at, record: Buffer.from(record).toString('base64') })),
})

const full: TransactionItem = {}

/** The members of a group, in one item that each of them changes. */
async function membersIn(table: Table, saleId: SaleId, group: string): Promise<z.infer<typeof storedGroup>> {
  const item = await findItem(table, groupKey(saleId, group))
  return readStored('a group of a draw', storedGroup, item ?? noMembers)
}
const storedGroup = z.object({ members: z.array(z.string()), revision: z.number() })
const noMembers = { members: [], revision: 0 }

async function joining(
  table: Table,
  saleId: SaleId,
  { id, group, most }: { id: string; group: string; most: number },
): Promise<TransactionItem> {
  const { members, revision } = await membersIn(table, saleId, group)
  const others = members.filter((member) => member !== id)
  return others.length >= most ? full : putMembers(table, saleId, { group, revision, members: [...others, id] })
}

async function leaving(table: Table, saleId: SaleId, id: string, group: string): Promise<TransactionItem> {
  const { members, revision } = await membersIn(table, saleId, group)
  return putMembers(table, saleId, { group, revision, members: members.filter((member) => member !== id) })
}

function putMembers(
  table: Table,
  saleId: SaleId,
  { group, revision, members }: { group: string; revision: number; members: readonly string[] },
): TransactionItem {
  return { Put: putOver(table, revision, { ...groupKey(saleId, group), members, revision: revision + 1 }) }
}

/** A put over an item of that revision; 0 for a missing one. */
function putOver({ name }: Table, revision: number, Item: Record<string, unknown>) {
  return revision === 0
    ? { TableName: name, Item, ConditionExpression: 'attribute_not_exists(pk)' }
    : {
        ...{ TableName: name, Item, ConditionExpression: 'revision = :before' },
        ExpressionAttributeValues: { ':before': revision },
      }
}
