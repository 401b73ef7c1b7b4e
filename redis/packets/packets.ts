/** Loads, counts and removes the red packets of a warmed sale (P1, P4). */
import type { SaleId } from '../../core/ids.ts'
import { luaCodes } from '../../core/outcome.ts'
import type { RedPacket } from '../../core/packets/packet.ts'
import type { Commander } from '../command.ts'
import { hashPages } from '../hash-pages.ts'
import { stockKeys } from '../keys.ts'
import { integer, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import { countersIn, type StockCounters } from '../stock/units.ts'
import loadSource from './load-packets.lua'
import countSource from './packet-counts.lua'
import releaseSource from './release-held-packets.lua'
import retireSource from './retire-packets.lua'

const unknownSale = luaCodes['unknown-sale']

const loadPacketsScript = defineScript('load-packets', loadSource)
const loadPacketsCodes = { loaded: 1, repeat: 2, gap: 3, 'not-now': 4, moved: 5, 'unknown-sale': unknownSale } as const
const packetCountsScript = defineScript('packet-counts', countSource)
const packetCountsCodes = { counted: 1, 'unknown-sale': unknownSale } as const
const retirePacketsScript = defineScript('retire-packets', retireSource)
const retirePacketsCodes = { retired: 1, open: 3, 'unknown-sale': unknownSale } as const
const releaseHeldPacketsScript = defineScript('release-held-packets', releaseSource)
const releaseHeldPacketsCodes = { released: 1, superseded: 2, moved: 3, 'unknown-sale': unknownSale } as const

/** Packets per call: Redis serves no other client for about a millisecond. */
export const packetsPerCall = 1000

/**
 * The packets from number `from` to `to` - 1. A frozen sale needs `moves`: its packets are loaded again from the first one,
 * without those of orders, and `held` are held back.
 */
export type PacketChunk = {
  from: number
  to: number
  packets: readonly RedPacket[]
  held: readonly RedPacket[]
  moves: number | undefined
}

/** `not-now`: the sale is frozen, or not frozen any more. `moved`: units were released or restored since `moves`. */
export type LoadedPackets =
  | { kind: Exclude<keyof typeof loadPacketsCodes, 'unknown-sale'>; loaded: number }
  | { kind: 'unknown-sale' }

/** Loads a chunk once. @throws RedisUnavailable, UnexpectedReply; RangeError for more than `packetsPerCall` */
export async function loadPackets(redis: Commander, saleId: SaleId, chunk: PacketChunk): Promise<LoadedPackets> {
  const { from, to, packets, held, moves } = chunk
  refuseTooMany(to - from)
  const keys = stockKeys(saleId, redis.shard)
  const [code, loaded] = await loadPacketsScript.run(
    redis,
    [keys.stock, keys.packets, keys.held],
    [String(from), String(to), textsOf(packets), textsOf(held), String(moves ?? '')],
  )
  const kind = kindOf(loadPacketsCodes, code, 'load-packets')
  return kind === 'unknown-sale' ? { kind } : { kind, loaded: integer(loaded, 'loaded') }
}

const textsOf = (packets: readonly RedPacket[]) => JSON.stringify(packets.map((packet) => JSON.stringify(packet)))

function refuseTooMany(packets: number): void {
  if (packets > packetsPerCall) throw new RangeError(`${packets} packets in one call`)
}

/** `waiting` packets can be claimed: they are in no order and not held back. */
export type PacketCounts = StockCounters & { heldBack: number; loaded: number; waiting: number }

/**
 * Reads the counts of a sale at one moment; undefined if its stock is missing.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function countPackets(redis: Commander, saleId: SaleId): Promise<PacketCounts | undefined> {
  const keys = stockKeys(saleId, redis.shard)
  const [code, ...counts] = await packetCountsScript.run(redis, [keys.stock, keys.packets], [])
  if (kindOf(packetCountsCodes, code, 'packet-counts') === 'unknown-sale') return undefined
  const [heldBack, loaded, waiting] = counts.slice(3)
  return {
    ...countersIn(counts),
    heldBack: integer(heldBack, 'heldBack'),
    loaded: integer(loaded, 'loaded'),
    waiting: integer(waiting, 'waiting'),
  }
}

/** Removes unclaimed packets of a sale that is over at `now` (epoch ms). @throws RedisUnavailable, UnexpectedReply */
export async function retirePackets(
  redis: Commander,
  saleId: SaleId,
  now: number,
): Promise<keyof typeof retirePacketsCodes> {
  const { stock, packets, held } = stockKeys(saleId, redis.shard)
  const [code] = await retirePacketsScript.run(redis, [stock, packets, held], [String(now)])
  return kindOf(retirePacketsCodes, code, 'retire-packets')
}

/**
 * Reads the numbers of held-back packets, ascending.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function heldPackets(redis: Commander, saleId: SaleId): Promise<number[]> {
  const numbers = new Set<number>()
  for await (const page of hashPages(redis, stockKeys(saleId, redis.shard).held, packetsPerCall, 'held packets')) {
    for (const [number] of page) numbers.add(integer(number, 'number of a packet'))
  }
  return [...numbers].sort((a, b) => a - b)
}

/**
 * `numbers` of packets held back since the unfreeze at `since` (epoch ms); the last one is claimed next. `maxBooked` is the
 * maximum of packets booked at the same time that the gate's store knows.
 */
export type HeldPackets = { since: number; maxBooked: number; numbers: readonly number[] }

/**
 * `packets` can be claimed from now on. `stockRevision` is the revision of the stock afterwards. `superseded`: the sale was
 * unfrozen again, or is frozen. `moved`: more packets are booked than `maxBooked`.
 */
export type ReleasedPackets =
  | { kind: 'released'; packets: number; stockRevision: number }
  | { kind: 'superseded' | 'moved' | 'unknown-sale' }

/**
 * Makes held-back packets claimable. Safe to repeat: it ignores packets that are not held back.
 * @throws RedisUnavailable, UnexpectedReply; RangeError for more than `packetsPerCall`
 */
export async function releaseHeldPackets(
  redis: Commander,
  saleId: SaleId,
  { since, maxBooked, numbers }: HeldPackets,
): Promise<ReleasedPackets> {
  refuseTooMany(numbers.length)
  const { stock, packets, held } = stockKeys(saleId, redis.shard)
  const [code, count, stockRevision] = await releaseHeldPacketsScript.run(
    redis,
    [stock, packets, held],
    [String(since), String(maxBooked), JSON.stringify(numbers)],
  )
  const kind = kindOf(releaseHeldPacketsCodes, code, 'release-held-packets')
  if (kind !== 'released') return { kind }
  return { kind, packets: integer(count, 'packets'), stockRevision: integer(stockRevision, 'stockRevision') }
}
