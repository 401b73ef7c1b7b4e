/**
 * Wishes at a split stock: what a shopper wants that the home shard has not left. The banker
 * (functions/sales/banker.ts) reads them with the counters and moves units there, or notes that no
 * more are left anywhere.
 */
import type { SaleId } from '../../core/ids.ts'
import { type Commander, command } from '../command.ts'
import { stockKeys } from '../keys.ts'
import { integer, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import source from './wish.lua'

const wishScript = defineScript('wish', source)
export const wishCodes = { noted: 1, scarce: 2 } as const

/** `count` differs from that of the wish before. */
export type NotedWish = { units: number; count: number }

/** How long an answer about all shards is used, ms; a later shopper makes the banker look again. */
const scarceForMs = 1000

/**
 * Notes a wish for `units` at `now` (epoch ms). Returns the number of units in all shards when they were
 * found to be fewer a moment ago, otherwise undefined.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function wish(
  redis: Commander,
  saleId: SaleId,
  units: number,
  now: number,
): Promise<number | undefined> {
  const args = [units, now - scarceForMs].map(String)
  const [code, left] = await wishScript.run(redis, [stockKeys(saleId, redis.shard).stock], args)
  return kindOf(wishCodes, code, 'wish') === 'scarce' ? integer(left, 'left') : undefined
}

/**
 * Notes that at `now` (epoch ms) all shards together had only `left` units, which answers the wish.
 * @throws RedisUnavailable
 */
export async function noteScarce(redis: Commander, saleId: SaleId, left: number, now: number): Promise<void> {
  await command(redis, ['HSET', stockKeys(saleId, redis.shard).stock, 'scarce', `${left} ${now}`])
  await clearWish(redis, saleId)
}

/**
 * Removes the wish: it has its units, or its shopper has left.
 * @throws RedisUnavailable
 */
export async function clearWish(redis: Commander, saleId: SaleId): Promise<void> {
  await command(redis, ['HDEL', stockKeys(saleId, redis.shard).stock, 'wish'])
}

/** The wish in the stock's field, undefined when there is none. */
export function wishIn(stored: unknown): NotedWish | undefined {
  const [, units, count] = /^(\d+) (\d+)$/.exec(typeof stored === 'string' ? stored : '') ?? []
  return units === undefined ? undefined : { units: Number(units), count: Number(count) }
}
