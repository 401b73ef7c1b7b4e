/** Draws in the table: the list of active draws, and the secret keys, state, entries and offers of each. */
import { createHmac } from 'node:crypto'
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import { parseSaleId, parseShopperId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { readBy } from '../../../core/lib/parse.ts'
import { type SigningKey, signingKey } from '../../../functions/lib/session-token.ts'
import type { ShopContext, Table } from '../../../functions/lib/shop/shop.ts'
import { putBatch, readEach } from '../../../functions/table/batch.ts'
import { conditionHeld, findItem, readStored, UnexpectedItem } from '../../../functions/table/dynamodb.ts'
import { buyerKey, type ItemKey } from '../../../functions/table/keys.ts'
import { partPages } from '../../../functions/table/partitions.ts'
import { queryPartition } from '../../../functions/table/query.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import type { DrawView } from '../core/operations.ts'
import {
  drawEntryKey,
  drawKeysKey,
  drawListKey,
  drawStateKey,
  drawsPk,
  entryParts,
  offerKey,
  offersOf,
} from './keys.ts'

/** Returns the sales with a draw that have not ended. @throws when the table is unavailable */
export async function listedDraws(table: Table): Promise<readonly SaleId[]> {
  const items = await queryPartition(table, drawsPk)
  return items.map(({ sk }) => parseSaleId(sk)).filter((saleId) => saleId !== undefined)
}

/** Adds a sale to the list of active draws. Safe to repeat. */
export async function listDraw({ client, name }: Table, saleId: SaleId): Promise<void> {
  await client.send(new PutCommand({ TableName: name, Item: drawListKey(saleId) }))
}

/** Removes a sale from the list of active draws. Safe to repeat. */
export async function unlistDraw({ client, name }: Table, saleId: SaleId): Promise<void> {
  await client.send(new DeleteCommand({ TableName: name, Key: drawListKey(saleId) }))
}

/** `ids` is the HMAC key of the ids of entrants. `signing` signs the list, steps and receipts. */
export type DrawKeys = { ids: Uint8Array; signing: SigningKey }

export const idKeyBytes = 32
const keys = z.object({
  ids: z.custom<Uint8Array>((ids) => ids instanceof Uint8Array && ids.length === idKeyBytes),
  signing: signingKey,
})

/** Returns the keys of a draw, and creates them at the first call. @throws when the table is unavailable, UnexpectedItem */
export async function ensureDrawKeys(table: Table, saleId: SaleId, fresh: () => Promise<DrawKeys>): Promise<DrawKeys> {
  const found = await findItem(table, drawKeysKey(saleId))
  if (found !== undefined) return readKeys(found)
  return readKeys(await writeKeysOnce(table, drawKeysKey(saleId), await fresh()))
}

/** Sets keys that are missing and returns the item. If two runs create keys, the first one wins. */
async function writeKeysOnce({ client, name }: Table, key: ItemKey, { ids, signing }: DrawKeys): Promise<unknown> {
  const update = new UpdateCommand({
    TableName: name,
    Key: key,
    UpdateExpression: 'SET ids = if_not_exists(ids, :ids), signing = if_not_exists(signing, :signing)',
    ExpressionAttributeValues: { ':ids': ids, ':signing': signing },
    ReturnValues: 'ALL_NEW',
  })
  return (await client.send(update)).Attributes
}

const readKeys = (item: unknown) => readStored('the keys of a draw', keys, item)

/**
 * `open`: entries are accepted. `closed`: the list is signed. `decided`: units are offered. `void`: the list came too late.
 * `variants` are the ids of the variants in the order of the rules; absent for a sale without them. The round is due at
 * `roundAt`. Once decided, `queues` counts the entries of each variant, and `rankDigits` is the number of digits of an id in
 * the names of the files of ranks.
 */
const state = z.object({
  phase: z.enum(['open', 'closed', 'decided', 'void']),
  opensAt: z.number(),
  closesAt: z.number(),
  variants: z.optional(z.array(z.string())),
  rulesHash: z.string(),
  round: z.number(),
  roundAt: z.number(),
  queues: z.optional(z.array(z.number())),
  rankDigits: z.optional(z.number()),
})
export type DrawState = z.infer<typeof state>

/** Reads the state of a draw; undefined before the rules are published. @throws when the table is unavailable, UnexpectedItem */
export async function readDrawState(table: Table, saleId: SaleId): Promise<DrawState | undefined> {
  const item = await findItem(table, drawStateKey(saleId))
  return item && readStored('the state of a draw', state, item)
}

/** Saves the state unconditionally: the lock of the sale excludes a second writer. */
export async function saveDrawState({ client, name }: Table, saleId: SaleId, next: DrawState): Promise<void> {
  await client.send(new PutCommand({ TableName: name, Item: { ...drawStateKey(saleId), ...next } }))
}

/**
 * An entry of a draw: an item for each entrant with the latest change. A condition on the previous change keeps two requests
 * of one shopper from making the same change. `changes` counts the changes so far; `receipt` and `variant` are of the last
 * one. `variant` is a number from 1, or 0 once the shopper left.
 */
const entry = z.object({
  shopperId: readBy(parseShopperId, 'must be a shopper id'),
  changes: z.number(),
  variant: z.number(),
  receipt: z.string(),
})
export type DrawnEntry = z.infer<typeof entry>

/** Finds an entry by its id in hexadecimal. @throws when the table is unavailable, UnexpectedItem */
export async function findEntry(table: Table, saleId: SaleId, id: string): Promise<DrawnEntry | undefined> {
  const item = await findItem(table, drawEntryKey(saleId, id))
  return item && readEntry(item)
}

/** Returns the shoppers of these ids. @throws when the table is unavailable, UnexpectedItem for a missing one */
export async function shoppersOfEntries(
  table: Table,
  saleId: SaleId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShopperId>> {
  const items = await readEach(table, ids, (id) => drawEntryKey(saleId, id))
  const found = new Map(items.map(({ of: id, item }) => [id, readEntry(item).shopperId]))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw new UnexpectedItem('an entry of a draw', `${missing} is missing`)
  return found
}

/** Yields all entries, each with its id in hexadecimal, page by page and unordered. */
export async function* entryPages(
  table: Table,
  saleId: SaleId,
): AsyncGenerator<readonly (DrawnEntry & { id: string })[]> {
  for await (const page of partPages(table, entryParts(saleId), {}))
    yield page.map((item) => ({ id: String(item.sk), ...readEntry(item) }))
}

const readEntry = (item: unknown) => readStored('an entry of a draw', entry, item)

/** Saves an entry over the previous change; false if another request was first. @throws when the table is unavailable: then it may have been saved */
export function saveEntry({ client, name }: Table, saleId: SaleId, id: string, next: DrawnEntry): Promise<boolean> {
  const put = new PutCommand({
    TableName: name,
    Item: { ...drawEntryKey(saleId, id), ...next },
    ...(next.changes === 1
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'changes = :before', ExpressionAttributeValues: { ':before': next.changes - 1 } }),
  })
  return conditionHeld(client.send(put))
}

/**
 * `entry` is the number of the record in the list; `variant` is the id of the unit's variant, in a sale with variants. Times
 * are epoch ms. `boughtAt`: an order was seen. `endingAt`: the shopper was removed from the list of the sale, and the unit is
 * returned once no click can be in flight. `endedAt`: the unit was returned.
 */
const offer = z.object({
  entry: z.number(),
  shopperId: readBy(parseShopperId, 'must be a shopper id'),
  variant: z.optional(z.string()),
  at: z.number(),
  until: z.number(),
  boughtAt: z.optional(z.number()),
  endingAt: z.optional(z.number()),
  endedAt: z.optional(z.number()),
})
type Offer = z.infer<typeof offer>
/** An offer with the id of the entrant in hexadecimal. */
export type HeldOffer = Offer & { id: string }

/** Finds the offer of an entrant. @throws when the table is unavailable, UnexpectedItem */
export async function findOffer(table: Table, saleId: SaleId, id: string): Promise<HeldOffer | undefined> {
  const item = await findItem(table, offerKey(saleId, id))
  return item && readOffer(item)
}

/** Returns the offers of these entrants, in any sales, without missing ones. `places` has no duplicates. @throws as `findOffer` */
export async function offersAt(
  table: Table,
  places: readonly { saleId: SaleId; id: string }[],
): Promise<(HeldOffer & { saleId: SaleId })[]> {
  const found = await readEach(table, places, ({ saleId, id }) => offerKey(saleId, id))
  return found.map(({ of: { saleId }, item }) => ({ ...readOffer(item), saleId }))
}

/** Returns all offers that a draw ever made. */
export async function allOffers(table: Table, saleId: SaleId): Promise<HeldOffer[]> {
  const items = await queryPartition(table, offersOf(saleId))
  return items.map(readOffer)
}

function readOffer(item: Record<string, unknown>): HeldOffer {
  return { ...readStored('an offer of a draw', offer, item), id: String(item.sk) }
}

/** Writes offers unconditionally: the lock of the sale excludes a second writer. */
export function saveOffers(table: Table, saleId: SaleId, offers: readonly HeldOffer[]): Promise<void> {
  return putBatch(
    table,
    offers.map(({ id, ...rest }) => ({ ...offerKey(saleId, id), ...rest })),
  )
}

/** Returns the state of these shoppers' orders in the sale: `active` have units, `ended` had some. Shoppers without an order are absent. */
export async function orderStates(
  table: Table,
  saleId: SaleId,
  shopperIds: readonly ShopperId[],
): Promise<ReadonlyMap<ShopperId, 'active' | 'ended'>> {
  const found = await readEach(table, shopperIds, (shopperId) => buyerKey(saleId, shopperId))
  return new Map(found.map(({ of, item }) => [of, Number(item.quantity) > 0 ? 'active' : 'ended']))
}

/** Returns the draw of a sale for staff: undefined without the sale, a null `draw` if it has none. @throws when the table is unavailable */
export async function readSaleDraw(
  { table }: Pick<ShopContext, 'table'>,
  saleId: SaleId,
): Promise<{ draw: DrawView | null } | undefined> {
  const sale = (await findSale(table, saleId))?.sale
  if (sale === undefined) return undefined
  if (sale.draw === undefined) return { draw: null }
  const { phase = 'waiting', queues } = (await readDrawState(table, saleId)) ?? {}
  const entrants = queues?.reduce((sum, count) => sum + count, 0)
  const offers = await allOffers(table, saleId)
  const ended = offers.filter(({ endedAt }) => endedAt !== undefined).length
  const bought = offers.filter(({ endedAt, boughtAt }) => endedAt === undefined && boughtAt !== undefined).length
  return {
    draw: {
      phase,
      ...(entrants !== undefined && { entrants }),
      offers: { made: offers.length, bought, open: offers.length - bought - ended, ended },
      waiting: entrants === undefined ? 0 : entrants - offers.length,
    },
  }
}

/** Returns the id of a shopper in a draw, which only the shop can map to the shopper. */
export function entrantId(key: Uint8Array, shopperId: ShopperId): Uint8Array {
  return createHmac('sha256', key).update(shopperId).digest()
}

/** Returns the shopper's id (hexadecimal) in each of the sales with a draw. @throws when the table is unavailable */
export async function placesInDraws(
  table: Table,
  shopperId: ShopperId,
  saleIds: readonly SaleId[],
): Promise<{ saleId: SaleId; id: string }[]> {
  const found = await readEach(table, saleIds, drawKeysKey)
  return found.flatMap(({ of: saleId, item: { ids } }) =>
    ids instanceof Uint8Array ? [{ saleId, id: bytesToHex(entrantId(ids, shopperId)) }] : [],
  )
}
