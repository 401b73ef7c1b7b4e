/**
 * The demand of a shard of a split stock: units that a shopper has requested and the shard does not have. The balancer
 * (functions/sales/balancer.ts) reads it with the counters and moves units to the shard, or records a shortage.
 */
import * as z from 'zod/mini'
import type { SaleId } from '../../core/ids.ts'
import { whole } from '../../core/lib/parse.ts'
import { isVariantId, type OrderUnits, type VariantUnits } from '../../core/sale/variants.ts'
import { type PartUnits, undivided } from '../../core/stock/divided-units.ts'
import { type Commander, command } from '../command.ts'
import { stockKeys } from '../keys.ts'
import { integer, jsonReply, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import source from './shard-demand.lua'

const shardDemandScript = defineScript('shard-demand', source)
const shardDemandCodes = { noted: 1, shortage: 2 } as const

/** `count` identifies the demand: it differs from that of the previous one. */
export type ShardDemand = { wanted: PartUnits; count: number }

/** All shards together have too few units. `leftOfVariant` is set if the variant has too few. */
export type Shortage = { remaining: number; leftOfVariant?: number }

/** How long a recorded shortage is valid, ms. A later demand makes the balancer read all shards again. */
const shortageForMs = 1000

/**
 * Records the demand of a shard at `now` (epoch ms). Resolves with the shortage if one was recorded a moment ago, otherwise
 * undefined.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function recordShardDemand(
  redis: Commander,
  saleId: SaleId,
  wanted: OrderUnits,
  now: number,
): Promise<Shortage | undefined> {
  const { quantity, variant } = wanted
  const args = [String(quantity), String(now - shortageForMs), variant ?? '']
  const [code, left, leftOf] = await shardDemandScript.run(redis, [stockKeys(saleId, redis.shard).stock], args)
  if (kindOf(shardDemandCodes, code, 'shard-demand') !== 'shortage') return undefined
  const ofVariant = typeof leftOf === 'number' ? { leftOfVariant: leftOf } : {}
  return { remaining: integer(left, 'left'), ...ofVariant }
}

/**
 * Records that at `now` (epoch ms) all shards together had `remaining` units, and `left` of each variant, and removes the
 * demand of the shard.
 * @throws RedisUnavailable
 */
export async function recordShortage(
  redis: Commander,
  saleId: SaleId,
  { remaining, left }: { remaining: number; left: VariantUnits },
  now: number,
): Promise<void> {
  const shortage = JSON.stringify({ left: remaining, at: now, ...(undivided in left ? {} : { variants: left }) })
  await command(redis, ['HSET', stockKeys(saleId, redis.shard).stock, 'shortage', shortage])
  await clearShardDemand(redis, saleId)
}

/**
 * Removes the demand of a shard, because the shard has the units or the shopper has left.
 * @throws RedisUnavailable
 */
export async function clearShardDemand(redis: Commander, saleId: SaleId): Promise<void> {
  await command(redis, ['HDEL', stockKeys(saleId, redis.shard).stock, 'demand'])
}

const storedShardDemand = z.strictObject({
  units: whole(1, Number.MAX_SAFE_INTEGER),
  count: whole(1, Number.MAX_SAFE_INTEGER),
  variant: z.optional(z.custom<string>(isVariantId)),
})

/** Returns the demand in the field of a shard's stock, undefined when it is absent. @throws UnexpectedReply */
export function shardDemandIn(stored: unknown): ShardDemand | undefined {
  if (stored === null || stored === undefined) return undefined
  const { units, count, variant = undivided } = jsonReply(storedShardDemand, stored, 'demand')
  return { wanted: { id: variant, units }, count }
}
