/**
 * Loads, counts and clears the red packets of a warmed sale, in chunks (P1, P4). Each function works
 * on one shard, and `loaded` counts the packets of that shard.
 */
import type { SaleId } from '../../core/ids.ts'
import { luaCodes } from '../../core/outcome.ts'
import type { Commander } from '../command.ts'
import { stockKeys } from '../keys.ts'
import { integer, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import clearSource from './clear-packets.lua'
import loadSource from './load-packets.lua'
import countSource from './packet-counts.lua'
import retireSource from './retire-packets.lua'
import unholdSource from './unhold-packets.lua'

const unknownSale = luaCodes['unknown-sale']

const loadPacketsScript = defineScript('load-packets', loadSource)
const loadPacketsCodes = { loaded: 1, repeat: 2, gap: 3, 'not-now': 4, 'unknown-sale': unknownSale } as const
const packetCountsScript = defineScript('packet-counts', countSource)
const packetCountsCodes = { counted: 1, 'unknown-sale': unknownSale } as const
const clearPacketsScript = defineScript('clear-packets', clearSource)
const clearPacketsCodes = { cleared: 1, open: 3, 'unknown-sale': unknownSale } as const
const retirePacketsScript = defineScript('retire-packets', retireSource)
const retirePacketsCodes = { retired: 1, open: 3, 'unknown-sale': unknownSale } as const

const unholdPacketsScript = defineScript('unhold-packets', unholdSource)
const unholdPacketsCodes = { unheld: 1, superseded: 2, moved: 3, 'unknown-sale': unknownSale } as const

/** Packets per call: Redis serves no other client for about a millisecond. */
export const packetsPerCall = 1000

/** A packet by its number, and its money in minor units. */
type PacketAmount = { packet: number; amount: number }

/**
 * A packet as it is loaded. `rank` is how many of the sale are claimed or held back once it is
 * claimed.
 */
type LoadedPacket = PacketAmount & { rank: number }

/**
 * The packets of a shard from its `from`-th up to, not including, its `to`-th; of the only shard,
 * those are their numbers. `rebuilding` is for a frozen sale: those
 * of its packets that were claimed before are left out, and `held` are the numbers of those that
 * are held back. Each packet has its `currency` (ISO 4217), so that a claim need not read it elsewhere.
 */
export type Chunk = {
  from: number
  to: number
  packets: readonly LoadedPacket[]
  held: readonly number[]
  currency: string
  rebuilding: boolean
}

/**
 * `loaded` is the number of packets loaded so far. `not-now`: the sale is frozen, or no longer
 * frozen.
 */
export type Loaded =
  | { kind: Exclude<keyof typeof loadPacketsCodes, 'unknown-sale'>; loaded: number }
  | { kind: 'unknown-sale' }

/**
 * Loads one chunk unless it is loaded already. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply; RangeError for more than `packetsPerCall`
 */
export async function loadPackets(redis: Commander, saleId: SaleId, chunk: Chunk): Promise<Loaded> {
  const { from, to, packets, held, currency, rebuilding } = chunk
  refuseTooMany([...packets, ...held])
  const { stock, packets: list, held: heldKey } = stockKeys(saleId, redis.shard)
  const words = packets.map(({ rank, packet, amount }) => `${rank} ${packet} ${amount} ${currency}`).join(',')
  const [code, loaded] = await loadPacketsScript.run(
    redis,
    [stock, list, heldKey],
    [String(from), String(to), words, rebuilding ? '1' : '0', held.join()],
  )
  const kind = kindOf(loadPacketsCodes, code, 'load-packets')
  return kind === 'unknown-sale' ? { kind } : { kind, loaded: integer(loaded, 'loaded') }
}

function refuseTooMany(packets: readonly unknown[]): void {
  if (packets.length > packetsPerCall) throw new RangeError(`${packets.length} packets in one call`)
}

/**
 * `total` units of the sale, `loaded` as above, `waiting` unclaimed packets, `claims`, which are
 * shoppers with one, and packets that are held back.
 */
export type PacketCounts = {
  total: number
  loaded: number
  waiting: number
  claims: number
  heldBack: number
  stockRevision: number
}

/**
 * The counts of a sale at one moment, or undefined for missing stock.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function countPackets(redis: Commander, saleId: SaleId): Promise<PacketCounts | undefined> {
  const keys = stockKeys(saleId, redis.shard)
  const [code, ...counts] = await packetCountsScript.run(redis, [keys.stock, keys.packets, keys.claims], [])
  if (kindOf(packetCountsCodes, code, 'packet-counts') === 'unknown-sale') return undefined
  const [total, loaded, waiting, claims, heldBack, stockRevision] = counts
  return {
    total: integer(total, 'total'),
    loaded: integer(loaded, 'loaded'),
    waiting: integer(waiting, 'waiting'),
    claims: integer(claims, 'claims'),
    heldBack: integer(heldBack, 'heldBack'),
    stockRevision: integer(stockRevision, 'stockRevision'),
  }
}

/**
 * Removes all packets and claims of a frozen sale. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function clearPackets(redis: Commander, saleId: SaleId): Promise<keyof typeof clearPacketsCodes> {
  const { stock, packets, claims, held } = stockKeys(saleId, redis.shard)
  const [code] = await clearPacketsScript.run(redis, [stock, packets, claims, held], [])
  return kindOf(clearPacketsCodes, code, 'clear-packets')
}

/**
 * Removes the unclaimed packets of a sale that is over for good at `now` (epoch ms). Safe to
 * repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function retirePackets(
  redis: Commander,
  saleId: SaleId,
  now: number,
): Promise<keyof typeof retirePacketsCodes> {
  const { stock, packets, claims, held } = stockKeys(saleId, redis.shard)
  const [code] = await retirePacketsScript.run(redis, [stock, packets, claims, held], [String(now)])
  return kindOf(retirePacketsCodes, code, 'retire-packets')
}

/**
 * Packets that were held back since the reopening at `since` (epoch ms), in the order of their
 * numbers. `mostBooked` is the largest number of packets claimed and held back that the gate's
 * store knows.
 */
export type Unholding = { since: number; mostBooked: number; packets: readonly PacketAmount[]; currency: string }

/**
 * `packets` can be claimed from here on; `stockRevision` is the revision of the stock afterwards.
 * `superseded`: the sale was unfrozen again since, or is frozen. `moved`: more are claimed and held
 * back than `mostBooked`.
 */
export type Unheld =
  | { kind: 'unheld'; packets: number; stockRevision: number }
  | { kind: 'superseded' | 'moved' | 'unknown-sale' }

/**
 * Lets shoppers claim packets that were held back. Safe to repeat: a packet that is not held back
 * stays as it is.
 * @throws RedisUnavailable, UnexpectedReply; RangeError for more than `packetsPerCall`
 */
export async function unholdPackets(
  redis: Commander,
  saleId: SaleId,
  { since, mostBooked, packets, currency }: Unholding,
): Promise<Unheld> {
  refuseTooMany(packets)
  const { stock, packets: list, claims, held } = stockKeys(saleId, redis.shard)
  const words = packets.map(({ packet, amount }) => `${packet} ${amount} ${currency}`).join(',')
  const [code, count, stockRevision] = await unholdPacketsScript.run(
    redis,
    [stock, list, claims, held],
    [String(since), String(mostBooked), words],
  )
  const kind = kindOf(unholdPacketsCodes, code, 'unhold-packets')
  if (kind !== 'unheld') return { kind }
  return { kind, packets: integer(count, 'packets'), stockRevision: integer(stockRevision, 'stockRevision') }
}
