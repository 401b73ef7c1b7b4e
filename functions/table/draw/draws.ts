/** The draws of sales in the table: which there are, their secret keys, and how far each is. */
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type EarlierDraw, earlierDraw } from '../../../core/draw/rules.ts'
import { parseSaleId, type SaleId } from '../../../core/ids.ts'
import { type SigningKey, signingKey } from '../../lib/session-token.ts'
import type { Table } from '../../lib/shop/table.ts'
import { findItem, readStored } from '../dynamodb.ts'
import {
  drawInSeriesKey,
  drawKeysKey,
  drawListKey,
  drawSeriesKey,
  drawSeriesPk,
  drawStateKey,
  drawsPk,
} from '../keys.ts'
import { allOf } from '../query.ts'
import { keepFirst } from './keep-first.ts'

/** The sales that draw and are not over. @throws when the table is unavailable */
export async function listedDraws(table: Table): Promise<readonly SaleId[]> {
  const items = await allOf(table, drawsPk)
  return items.map(({ sk }) => parseSaleId(sk)).filter((saleId) => saleId !== undefined)
}

/** Safe to repeat. */
export async function listDraw({ client, name }: Table, saleId: SaleId): Promise<void> {
  await client.send(new PutCommand({ TableName: name, Item: drawListKey(saleId) }))
}

/** Safe to repeat. */
export async function unlistDraw({ client, name }: Table, saleId: SaleId): Promise<void> {
  await client.send(new DeleteCommand({ TableName: name, Key: drawListKey(saleId) }))
}

/** `ids`: from which the ids of entrants follow. `signing` signs heads, steps and receipts. */
export type DrawKeys = { ids: Uint8Array; signing: SigningKey }

const idKeyBytes = 32
const idKey = z.custom<Uint8Array>((ids) => ids instanceof Uint8Array && ids.length === idKeyBytes)
const keys = z.object({
  ids: idKey,
  signing: signingKey,
})

/**
 * The keys of a draw, made when they are first asked for and the same ever after.
 * @throws when the table is unavailable, UnexpectedItem
 */
export async function drawKeys(table: Table, saleId: SaleId, fresh: () => Promise<DrawKeys>): Promise<DrawKeys> {
  const found = await findItem(table, drawKeysKey(saleId))
  if (found !== undefined) return readKeys(found)
  const { ids, signing } = await fresh()
  return readKeys(await keepFirst(table, drawKeysKey(saleId), { ids, signing }))
}

const readKeys = (item: unknown) => readStored('the keys of a draw', keys, item)

/**
 * `open`: entries are taken. `closed`: the list is committed to. `decided`: units are offered. `void`: the list came too late.
 * `variants` are the ids that entries choose from, in the order of the rules; absent for a sale without them. `entrants` stand
 * in the last head, signed at `headAt`; the round is due at `roundAt`. Once decided there are `parties` in ranks, `offers` were made,
 * and the files of ranks have so many `rankDigits` of an id in their names; those of tries `tryDigits`, where a draw has earlier ones.
 * `offerKey` signs what shows CloudFront's functions that a shopper has an offer. `isStandby`: it ranks the standby list of a sale that has sold out. `isOver`: on that list no shopper waits any more, nor can buy by an offer.
 */
const state = z.object({
  phase: z.enum(['open', 'closed', 'decided', 'void']),
  opensAt: z.number(),
  closesAt: z.number(),
  mostInGroup: z.number(),
  variants: z.optional(z.array(z.string())),
  rulesHash: z.string(),
  round: z.number(),
  roundAt: z.number(),
  entrants: z.number(),
  headAt: z.number(),
  parties: z.optional(z.number()),
  offers: z.optional(z.number()),
  threshold: z.optional(z.string()),
  rankDigits: z.optional(z.number()),
  tryDigits: z.optional(z.number()),
  offerKey: z.optional(z.string()),
  isStandby: z.optional(z.boolean()),
  isOver: z.optional(z.boolean()),
})
export type DrawState = z.infer<typeof state>

/** Undefined before the rules are published. @throws when the table is unavailable, UnexpectedItem */
export async function readDrawState(table: Table, saleId: SaleId): Promise<DrawState | undefined> {
  const item = await findItem(table, drawStateKey(saleId))
  return item && readStored('the state of a draw', state, item)
}

/** The lock of the sale keeps a second writer away. */
export async function saveDrawState({ client, name }: Table, saleId: SaleId, next: DrawState): Promise<void> {
  await client.send(new PutCommand({ TableName: name, Item: { ...drawStateKey(saleId), ...next } }))
}

/**
 * The key from which ids of entrants follow in all draws of a series: the first `fresh`.
 * @throws when the table is unavailable, UnexpectedItem
 */
export async function keyOfSeries(table: Table, series: string, fresh: Uint8Array): Promise<Uint8Array> {
  const item = await keepFirst(table, drawSeriesKey(series), { ids: fresh })
  return readStored('the key of a series of draws', z.object({ ids: idKey }), item).ids
}

const drawInSeries = z.object({ sk: z.string(), closesAt: z.number(), earlier: z.array(earlierDraw) })

/** The draws of a series whose rules are published or about to be, by their close. @throws as `keyOfSeries` */
export async function drawsInSeries(table: Table, series: string): Promise<SaleId[]> {
  const items = await allOf(table, drawSeriesPk(series))
  const draws = items.flatMap((item) => {
    const saleId = parseSaleId(item.sk)
    return saleId === undefined ? [] : [{ saleId, closesAt: readDrawInSeries(item).closesAt }]
  })
  return draws.toSorted((a, b) => a.closesAt - b.closesAt).map(({ saleId }) => saleId)
}

/**
 * Notes a draw of a series, and the earlier ones that its rules name: as they were noted first, so a repeat publishes the
 * same rules. @throws as `keyOfSeries`
 */
export async function noteInSeries(
  { client, name }: Table,
  series: string,
  saleId: SaleId,
  { closesAt, earlier }: { closesAt: number; earlier: readonly EarlierDraw[] },
): Promise<EarlierDraw[]> {
  const update = new UpdateCommand({
    TableName: name,
    Key: drawInSeriesKey(series, saleId),
    UpdateExpression: 'SET earlier = if_not_exists(earlier, :earlier), closesAt = :closesAt',
    ExpressionAttributeValues: { ':earlier': earlier, ':closesAt': closesAt },
    ReturnValues: 'ALL_NEW',
  })
  return readDrawInSeries((await client.send(update)).Attributes).earlier
}

const readDrawInSeries = (item: unknown) => readStored('a draw of a series', drawInSeries, item)
