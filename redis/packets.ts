/** The red packets of a sale on the shelf: put there in chunks, counted, and cleared away to be put there anew (P1, P4). */
import type { SaleId } from '../core/ids.ts'
import { luaCodes } from '../core/outcome.ts'
import { sortableTime } from '../core/sortable-time.ts'
import clearSource from './clear-packets.lua'
import type { Commander } from './command.ts'
import { stockKeys } from './keys.ts'
import loadSource from './load-packets.lua'
import countSource from './packet-counts.lua'
import { integer, kindOf } from './reply.ts'
import retireSource from './retire-packets.lua'
import { defineScript } from './script.ts'

const unknownSale = luaCodes['unknown-sale']

export const loadPacketsScript = defineScript('load-packets', loadSource)
export const loadPacketsCodes = {
  loaded: 1,
  repeat: 2,
  gap: 3,
  'not-now': 4,
  'unknown-sale': unknownSale,
} as const
export const packetCountsScript = defineScript('packet-counts', countSource)
export const packetCountsCodes = { counted: 1, 'unknown-sale': unknownSale } as const
export const clearPacketsScript = defineScript('clear-packets', clearSource)
export const clearPacketsCodes = { cleared: 1, open: 3, 'unknown-sale': unknownSale } as const
export const retirePacketsScript = defineScript('retire-packets', retireSource)
export const retirePacketsCodes = { retired: 1, open: 3, 'unknown-sale': unknownSale } as const

/** Packets of one call: Redis serves nobody else for about a millisecond meanwhile. */
export const packetsPerCall = 1000

/** A packet as it is loaded. `rank` is how many of the sale are claimed once it is. */
export type LoadedPacket = { rank: number; packet: number; amount: number }

/**
 * Packets numbered from `from` up to, not including, `to`. `rebuilding` is for a frozen sale: those of its packets that were
 * claimed before are left out. Each packet says its `currency` (ISO 4217), so that whoever hands it out need not ask for it.
 */
export type Chunk = {
  from: number
  to: number
  packets: readonly LoadedPacket[]
  currency: string
  rebuilding: boolean
}

/** `loaded` is the number up to which packets are on the shelf. `not-now`: the sale is frozen, or not frozen any more. */
export type Loaded =
  | { kind: Exclude<keyof typeof loadPacketsCodes, 'unknown-sale'>; loaded: number }
  | { kind: 'unknown-sale' }

/**
 * Puts one chunk on the shelf, unless it is there. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply; RangeError for more than `packetsPerCall`
 */
export async function loadPackets(redis: Commander, saleId: SaleId, chunk: Chunk): Promise<Loaded> {
  const { from, to, packets, currency, rebuilding } = chunk
  if (packets.length > packetsPerCall) throw new RangeError(`${packets.length} packets in one call`)
  const { stock, packets: list } = stockKeys(saleId)
  const words = packets.map(({ rank, packet, amount }) => `${rank} ${packet} ${amount} ${currency}`).join(',')
  const [code, loaded] = await loadPacketsScript.run(
    redis,
    [stock, list],
    [String(from), String(to), words, rebuilding ? '1' : '0'],
  )
  const kind = kindOf(loadPacketsCodes, code, 'load-packets')
  return kind === 'unknown-sale' ? { kind } : { kind, loaded: integer(loaded, 'loaded') }
}

/** `total` units of the sale, `loaded` as above, `waiting` packets on the shelf, and `claims`, which are shoppers with one. */
export type PacketCounts = { total: number; loaded: number; waiting: number; claims: number }

/**
 * The counts of a sale at one moment, or undefined when no stock is on the shelf.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function countPackets(redis: Commander, saleId: SaleId): Promise<PacketCounts | undefined> {
  const { stock, packets, buyers } = stockKeys(saleId)
  const [code, ...counts] = await packetCountsScript.run(redis, [stock, packets, buyers], [])
  if (kindOf(packetCountsCodes, code, 'packet-counts') === 'unknown-sale') return undefined
  const [total, loaded, waiting, claims] = counts
  return {
    total: integer(total, 'total'),
    loaded: integer(loaded, 'loaded'),
    waiting: integer(waiting, 'waiting'),
    claims: integer(claims, 'claims'),
  }
}

/**
 * Takes all packets and claims of a frozen sale off the shelf. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function clearPackets(
  redis: Commander,
  saleId: SaleId,
): Promise<keyof typeof clearPacketsCodes> {
  const { stock, packets, buyers } = stockKeys(saleId)
  const [code] = await clearPacketsScript.run(redis, [stock, packets, buyers], [])
  return kindOf(clearPacketsCodes, code, 'clear-packets')
}

/**
 * Takes the packets that nobody claimed off the shelf of a sale that is over for good at `now` (epoch ms). Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function retirePackets(
  redis: Commander,
  saleId: SaleId,
  now: number,
): Promise<keyof typeof retirePacketsCodes> {
  const { stock, packets, buyers } = stockKeys(saleId)
  const [code] = await retirePacketsScript.run(redis, [stock, packets, buyers], [sortableTime(now)])
  return kindOf(retirePacketsCodes, code, 'retire-packets')
}
