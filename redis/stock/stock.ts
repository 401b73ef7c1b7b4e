/** Reads the stock of a sale, and removes that of an archived sale. */
import * as z from 'zod/mini'
import { type OrderId, type SaleId, type ShopperId, saleOfOrder } from '../../core/ids.ts'
import type { Available, Flag } from '../../core/sale/phase.ts'
import { isVariantId } from '../../core/sale/variants.ts'
import { type Command, type Commander, command, type Stocks } from '../command.ts'
import { toError } from '../errors.ts'
import { shopperField, stockKeys } from '../keys.ts'
import { type HeldOrder, type Hold, ordersIn } from '../orders/holds.ts'
import { countPackets } from '../packets/packets.ts'
import { flag, integer, jsonReply, list, startToken, text } from '../reply.ts'
import { shardOf, shardsOf } from '../shards.ts'
import { type ShardDemand, shardDemandIn } from './shard-demand.ts'
import { definitionFields, definitionIn, type StockDefinition } from './stock-definition.ts'
import { countersIn, readVariants, remainingOf, type StockCounters, type VariantCounters } from './units.ts'

/**
 * `total` and `available` are -1 for an unlimited stock. Times are epoch ms. A frozen stock sells nothing. `packets` counts
 * the loaded red packets and those that can be claimed. `variants` has the counters of each variant by its id; `available`
 * counts units that can be bought.
 *
 * For a split stock these are the facts of one shard, or the sums of all (`isSplit`): `total` is then what the shards were
 * granted, not all units of the sale. The definition is that of the shard with the oldest version.
 */
export type StockFacts = StockCounters & {
  available: Available
  flag: Flag
  epoch: number
  startToken: string | null
  startsAt: number
  endsAt: number
  version: number
  frozen: boolean
  /** The id of the freeze, empty without one. `moves` counts releases and restores since then (recount.lua). */
  freeze: { id: string; moves: number }
  definition: StockDefinition
  /** Units booked for lost orders that may still arrive; see unfreeze.lua. */
  heldBack: number
  heldSince: number
  quietSince: number | undefined
  /** True once the held-back units are known to belong to dead letters. Before that they may be for sale again. */
  isHeldBackFinal: boolean
  /** When messages of the outbox were last resent, 0 for never. */
  resentAt: number
  /** The number of the last applied or refused change of the total. */
  change: number
  /** The last request for units that this shard of a split stock does not have; see shard-demand.lua. */
  shardDemand: ShardDemand | undefined
  isSplit: boolean
  packets?: { loaded: number; waiting: number }
  variants?: Readonly<Record<string, VariantCounters>>
}

/** True while the sale or a variant holds units back. After all lost orders were found, other variants still do. */
export function holdsBack({ heldBack, variants = {} }: Pick<StockFacts, 'heldBack' | 'variants'>): boolean {
  return heldBack > 0 || Object.values(variants).some((variant) => variant.heldBack > 0)
}

/** True while held-back units may be for sale again, so that an empty stock is not sold out. */
export function hasReturnableUnits(stock: Pick<StockFacts, 'heldBack' | 'variants' | 'isHeldBackFinal'>): boolean {
  return !stock.isHeldBackFinal && holdsBack(stock)
}

const heldFields = ['heldBack', 'heldSince', 'quietSince', 'heldFinal', 'resentAt'] as const

const countFields = [
  'total',
  'booked',
  'stockRevision',
  'frozen',
  'moves',
  'loaded',
  'change',
  'demand',
  'variants',
] as const

const fields = [...countFields, ...heldFields, ...definitionFields]

/**
 * Reads the stock of a sale; undefined if it is missing. For a split stock, returns the sums of the existing shards.
 * @throws RedisUnavailable, also for a single shard; UnexpectedReply
 */
export async function readStock(stocks: Stocks, saleId: SaleId): Promise<StockFacts | undefined> {
  const shards = await shardsOf(stocks, saleId)
  return sumOfShards(await Promise.all(shards.map((shard) => readShard(shard, saleId))))
}

/** Reads the facts of each shard, in order; undefined for a missing shard, the error for an unavailable one. */
export async function readShards(stocks: Stocks, saleId: SaleId): Promise<readonly (StockFacts | Error | undefined)[]> {
  const shards = await shardsOf(stocks, saleId)
  return Promise.all(shards.map((shard) => readShard(shard, saleId).catch(toError)))
}

/** Reads the stock without unavailable shards. @throws RedisUnavailable if all are unavailable; UnexpectedReply */
export async function readReachable(stocks: Stocks, saleId: SaleId): Promise<StockFacts | undefined> {
  return sumOfReachable(await readShards(stocks, saleId))
}

/** Returns the facts of a whole stock without unavailable shards. @throws the error of the first if all are unavailable */
export function sumOfReachable(shards: Awaited<ReturnType<typeof readShards>>): StockFacts | undefined {
  if (shards.every((shard) => shard instanceof Error)) throw shards[0]
  return sumOfShards(shards.map((shard) => (shard instanceof Error ? undefined : shard)))
}

/** Returns the facts of a whole stock from those of its shards; undefined if all are missing. */
export function sumOfShards(shards: readonly (StockFacts | undefined)[]): StockFacts | undefined {
  const present = shards.filter((shard) => shard !== undefined)
  if (shards.length === 1) return present[0]
  const selling = present.filter(({ frozen }) => !frozen)
  const oldest = (selling.length > 0 ? selling : present).toSorted((a, b) => a.version - b.version)[0]
  if (oldest === undefined) return undefined
  const sum = (what: 'total' | 'booked' | 'stockRevision' | 'heldBack') =>
    present.reduce((units, shard) => units + shard[what], 0)
  const variants = sumOfVariants(present.flatMap((shard) => (shard.variants === undefined ? [] : [shard.variants])))
  const lists = present.flatMap(({ packets }) => packets ?? [])
  const packets = {
    loaded: lists.reduce((all, { loaded }) => all + loaded, 0),
    waiting: lists.reduce((all, { waiting }) => all + waiting, 0),
  }
  return {
    ...oldest,
    total: sum('total'),
    booked: sum('booked'),
    stockRevision: sum('stockRevision'),
    available: Math.max(0, sum('total') - sum('booked')),
    heldBack: sum('heldBack'),
    isHeldBackFinal: present.every((shard) => !holdsBack(shard) || shard.isHeldBackFinal),
    heldSince: Math.max(...present.map(({ heldSince }) => heldSince)),
    resentAt: Math.max(...present.map(({ resentAt }) => resentAt)),
    frozen: selling.length === 0,
    isSplit: true,
    ...(lists.length > 0 ? { packets } : {}),
    ...(variants && { variants }),
  }
}

/** Returns undefined if no shard has variants; a lost shard has lost its variants. */
function sumOfVariants(shards: readonly NonNullable<StockFacts['variants']>[]): StockFacts['variants'] {
  if (shards.length === 0) return undefined
  const sum = new Map<string, VariantCounters>()
  for (const [id, { total, left, heldBack }] of shards.flatMap((shard) => Object.entries(shard))) {
    const before = sum.get(id) ?? { total: 0, left: 0, heldBack: 0 }
    sum.set(id, { total: before.total + total, left: before.left + left, heldBack: before.heldBack + heldBack })
  }
  return Object.fromEntries(sum)
}

/** Reads one shard of a stock; undefined if it is missing. @throws RedisUnavailable, UnexpectedReply */
export async function readShard(redis: Commander, saleId: SaleId): Promise<StockFacts | undefined> {
  const found = list(await command(redis, ['HMGET', stockKeys(saleId, redis.shard).stock, ...fields]), 'stock')
  if (found[0] === null) return undefined
  const [total, booked, stockRevision, frozen, moves, loaded, change, shardDemand, variants, ...others] = found
  const [heldBack, heldSince, quietSince, heldFinal, resentAt, ...stored] = others
  const definition = definitionIn(stored)
  const facts = {
    ...countersIn([total, booked, stockRevision]),
    flag: flag(definition.flag),
    epoch: integer(definition.epoch, 'epoch'),
    startToken: startToken(definition.startToken),
    startsAt: integer(definition.opensAt, 'opensAt'),
    endsAt: integer(definition.closesAt, 'closesAt'),
    version: integer(definition.version, 'version'),
    frozen: frozen !== null,
    freeze: { id: text(frozen ?? '', 'frozen'), moves: integer(moves ?? '0', 'moves') },
    definition,
    heldBack: integer(heldBack ?? '0', 'heldBack'),
    heldSince: integer(heldSince ?? '0', 'heldSince'),
    quietSince: (quietSince ?? '') === '' ? undefined : integer(quietSince, 'quietSince'),
    isHeldBackFinal: heldFinal === '1',
    resentAt: integer(resentAt ?? '0', 'resentAt'),
    change: integer(change ?? '0', 'change'),
    shardDemand: shardDemandIn(shardDemand),
    isSplit: false,
  }
  if (loaded !== null) return withPackets(redis, saleId, facts)
  if (variants !== null) return withVariants(redis, saleId, facts, jsonReply(variantIds, variants, 'variants'))
  return { ...facts, available: leftIn(total, booked) }
}

const variantIds = z.array(z.custom<string>(isVariantId))

const leftIn = (total: unknown, booked: unknown) => remainingOf(integer(total, 'total') - integer(booked, 'booked'))

/** Reads packets and units at one moment, because they may have changed since the first read. */
async function withPackets(
  redis: Commander,
  saleId: SaleId,
  facts: Omit<StockFacts, 'available' | 'packets'>,
): Promise<StockFacts | undefined> {
  const counts = await countPackets(redis, saleId)
  if (counts === undefined) return undefined
  const { loaded, waiting, ...units } = counts
  const available = Math.max(0, Math.min(units.total - units.booked, waiting))
  return { ...facts, ...units, available, packets: { loaded, waiting } }
}

/** Reads the counters of variants, with a second command only if there are some. Undefined if the stock was removed. */
async function withVariants(
  redis: Commander,
  saleId: SaleId,
  facts: Omit<StockFacts, 'available' | 'variants'>,
  ids: readonly string[],
): Promise<StockFacts | undefined> {
  const { counters, variants } = await readVariants(redis, saleId, ids)
  const [total, booked, stockRevision, heldBack] = counters
  if (total === null) return undefined
  // After a loss each variant may hold back as many units as all of them together.
  const toBuy = Object.values(variants).reduce((sum, variant) => sum + Math.max(0, variant.left), 0)
  return {
    ...facts,
    ...countersIn([total, booked, stockRevision]),
    heldBack: integer(heldBack ?? '0', 'heldBack'),
    available: Math.min(leftIn(total, booked), toBuy),
    variants,
  }
}

/** Reads the hold of a shopper's order; undefined without units. @throws RedisUnavailable, UnexpectedReply */
export async function readHold(stocks: Stocks, orderId: OrderId, shopperId: ShopperId): Promise<Hold | undefined> {
  const orders = await ordersOfShopper(stocks, saleOfOrder(orderId), shopperId)
  return orders.find((hold) => hold.orderId === orderId && hold.quantity > 0)
}

/** Reads a shopper's orders, oldest first; released ones have quantity 0. @throws RedisUnavailable, UnexpectedReply */
export async function ordersOfShopper(stocks: Stocks, saleId: SaleId, shopperId: ShopperId): Promise<HeldOrder[]> {
  const redis = await shardOf(stocks, saleId, shopperId)
  const args: Command = ['HGET', stockKeys(saleId, redis.shard).stock, shopperField(shopperId)]
  const found = await command(redis, args)
  return found === null ? [] : ordersIn(saleId, shopperId, text(found, 'record of a shopper'))
}

/** Removes the stock of a draft or an archived sale permanently. @throws RedisUnavailable, UnexpectedReply */
export async function removeStock(stocks: Stocks, saleId: SaleId): Promise<void> {
  const shards = await shardsOf(stocks, saleId)
  await Promise.all(shards.map((redis) => command(redis, ['UNLINK', ...Object.values(stockKeys(saleId, redis.shard))])))
}
