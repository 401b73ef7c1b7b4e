/**
 * Claims in Redis: which shopper has which packet, and which claims may not be in the queue yet.
 */

import { parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { luaCodes } from '../../core/outcome.ts'
import type { ClaimMessage } from '../../core/packets/claim.ts'
import { batchesOf, inOneArgument } from '../batch.ts'
import { type Command, type Commander, command, type Stocks } from '../command.ts'
import { UnexpectedReply } from '../errors.ts'
import { hashPages } from '../hash-pages.ts'
import { stockKeys } from '../keys.ts'
import { integer, kindOf, list, text } from '../reply.ts'
import { defineScript } from '../script.ts'
import { onlyShard } from '../shards.ts'
import restoreSource from './restore-claims.lua'

const restoreClaimsScript = defineScript('restore-claims', restoreSource)
const restoreClaimsCodes = { restored: 1, 'unknown-sale': luaCodes['unknown-sale'] } as const

/** A claim to restore. `claimedAt` is epoch ms. */
export type RightfulClaim = Omit<ClaimMessage, 'requestId' | 'saleId'>

/**
 * `restored` claims were missing and are there now. `refused` ones are not: in an open sale, their
 * packet is not held back, so another shopper may have it.
 */
export type RestoredClaims = { restored: number; refused: number }

/**
 * What claim.lua keeps of a claim: `<rank> <number> <amount> <currency> <claimed at> <request id>`;
 * undefined for anything else.
 */
export function parseClaim(saleId: SaleId, shopperId: ShopperId, kept: string): ClaimMessage | undefined {
  const [, packet, amount, currency, claimedAt, requestId] = /^\d+ (\d+) (\d+) ([A-Z]{3}) (\d+) (\S+)$/.exec(kept) ?? []
  if (currency === undefined || requestId === undefined) return undefined
  const numbers = { packet: Number(packet), amount: Number(amount), claimedAt: Number(claimedAt) }
  return { saleId, shopperId, ...numbers, currency, requestId }
}

/** Claims in a page, which then has some 100 kB. */
export const claimsPerPage = 1000

/**
 * Every claim of a shard that exists during the whole scan, about `count` in a page; one may appear twice.
 * @throws RedisUnavailable, UnexpectedReply
 */
export function claimPages(redis: Commander, saleId: SaleId, count: number): AsyncGenerator<readonly ClaimMessage[]> {
  return pagesOf(redis, saleId, stockKeys(saleId, redis.shard).claims, count)
}

/**
 * Every claim not yet known to be queued, in the same way.
 * @throws RedisUnavailable, UnexpectedReply
 */
export function pendingClaimPages(
  redis: Commander,
  saleId: SaleId,
  count: number,
): AsyncGenerator<readonly ClaimMessage[]> {
  return pagesOf(redis, saleId, stockKeys(saleId, redis.shard).outbox, count)
}

async function* pagesOf(redis: Commander, saleId: SaleId, key: string, count: number) {
  for await (const page of hashPages(redis, key, count, 'claims')) {
    yield page.map(([shopper, kept]) => readKept(saleId, shopper, kept))
  }
}

function readKept(saleId: SaleId, shopper: string, kept: string): ClaimMessage {
  const shopperId = parseShopperId(shopper)
  const claim = shopperId === undefined ? undefined : parseClaim(saleId, shopperId, kept)
  if (claim === undefined) throw new UnexpectedReply('a claim is not what this version keeps')
  return claim
}

/**
 * The claim of one shopper, or `none` for a shopper without one. `unknown` while the stock cannot say so: it is missing or
 * frozen, or holds back packets whose claims may have been lost with it. It is asked before and after, so a stock that is
 * lost or comes back meanwhile is not taken for a whole one.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function claimOfShopper(
  stocks: Stocks,
  saleId: SaleId,
  shopperId: ShopperId,
): Promise<ClaimMessage | 'none' | 'unknown'> {
  const redis = await onlyShard(stocks, saleId)
  const before = await isWhole(redis, saleId)
  const kept = await command(redis, ['HGET', stockKeys(saleId, redis.shard).claims, shopperId])
  if (kept !== null) return readKept(saleId, shopperId, text(kept, 'claim'))
  return before && (await isWhole(redis, saleId)) ? 'none' : 'unknown'
}

async function isWhole(redis: Commander, saleId: SaleId): Promise<boolean> {
  const read: Command = ['HMGET', stockKeys(saleId, redis.shard).stock, 'total', 'frozen', 'heldBack']
  const [total, frozen, heldBack] = list(await command(redis, read), 'stock')
  return total !== null && frozen === null && (heldBack === null || heldBack === '0')
}

/** The name of a claim in the outbox. */
export type ClaimName = Pick<ClaimMessage, 'shopperId' | 'packet'>

/**
 * Removes `claims`, which are queued or in the table, from the outbox. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function acknowledgeClaims(stocks: Stocks, saleId: SaleId, claims: readonly ClaimName[]): Promise<void> {
  if (claims.length === 0) return
  const redis = await onlyShard(stocks, saleId)
  await command(redis, ['HDEL', stockKeys(saleId, redis.shard).outbox, ...claims.map(({ shopperId }) => shopperId)])
}

/**
 * Remembers `claims` (at most `maxOrdersPerCall`) of which the table knows, or resolves with
 * undefined for missing stock. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply, RangeError
 */
export async function restoreClaims(
  redis: Commander,
  saleId: SaleId,
  claims: readonly RightfulClaim[],
): Promise<RestoredClaims | undefined> {
  const keys = stockKeys(saleId, redis.shard)
  const args = [inOneArgument(claims.map(lineOf))]
  const [code, restored, refused] = await restoreClaimsScript.run(redis, [keys.stock, keys.claims, keys.held], args)
  const kind = kindOf(restoreClaimsCodes, code, 'restore-claims')
  if (kind === 'unknown-sale') return undefined
  return { restored: integer(restored, 'restored'), refused: integer(refused, 'refused') }
}

const lineOf = ({ shopperId, packet, amount, currency, claimedAt }: RightfulClaim) =>
  [shopperId, String(packet), [packet, amount, currency, claimedAt].join(' ')] as const

/**
 * The same for any number of claims.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function restoreAllClaims(
  stocks: Stocks,
  saleId: SaleId,
  claims: readonly RightfulClaim[],
): Promise<RestoredClaims | undefined> {
  const sum = { restored: 0, refused: 0 }
  const redis = await onlyShard(stocks, saleId)
  for (const batch of batchesOf(claims)) {
    const done = await restoreClaims(redis, saleId, batch)
    if (done === undefined) return undefined
    sum.restored += done.restored
    sum.refused += done.refused
  }
  return sum
}
