/**
 * Loads the red packets of a sale. The amounts follow from what the table alone knows (packet-split.ts), so an
 * interrupted load continues where it stopped, and lost packets are split the same way again.
 */
import { hasEnded, type Sale } from '../../core/sale/sale.ts'
import type { Commander } from '../../redis/command.ts'
import { countPackets, loadPackets, type PacketChunk, packetsPerCall } from '../../redis/packets/packets.ts'
import { onlyShard } from '../../redis/shards.ts'
import type { ShopContext, StockPorts } from '../lib/shop/shop.ts'
import { packetAmounts, presentWaves } from './packet-split.ts'

/**
 * Loads every packet of the windows up to the current one. Sales of other kinds have none, and an ended sale gets no more.
 * Loads nothing when Redis has lost packets that a shopper may have.
 * @throws when a part is unavailable, and when the stock is lost meanwhile
 */
export async function loadSalePackets(ports: StockPorts & Pick<ShopContext, 'randomBytes'>, sale: Sale): Promise<void> {
  const now = ports.clock()
  if (sale.kind !== 'red-packet' || hasEnded(sale, now)) return
  const shard = await onlyShard(ports.stock, sale.saleId)
  const loaded = (await countPackets(shard, sale.saleId))?.loaded
  if (loaded === undefined || loaded >= packetsUpTo(sale) || loaded < minLoadedPackets(sale, now)) return
  const amounts = await packetAmounts(ports, sale)
  await load(shard, sale, loaded, (from, to) => ({
    packets: packetsOf(sale, amounts, from, to, () => true),
    ...{ held: [], moves: undefined },
  }))
}

/**
 * The known packets of a frozen sale: orders have the numbers in `taken`. Lower numbers than `claimedBelow` that are not taken
 * may have been claimed, so they are held back. `moves` is from before the orders were read (recount.lua).
 */
export type PacketsKnown = { taken: ReadonlySet<number>; claimedBelow: number; moves: number }

/**
 * Reloads all packets of a frozen sale. An ended sale only holds back those that may have been claimed. False when units were
 * released or restored meanwhile.
 * @throws when a part is unavailable, when the stock is lost meanwhile, and when it is frozen no more
 */
export async function reloadPackets(
  { clock }: Pick<ShopContext, 'clock'>,
  shard: Commander,
  sale: Sale,
  amounts: Float64Array,
  { taken, claimedBelow, moves }: PacketsKnown,
): Promise<boolean> {
  const isOver = hasEnded(sale, clock())
  const kind = await load(shard, sale, 0, (from, to) => ({
    packets: packetsOf(sale, amounts, from, to, (number) => !isOver && !taken.has(number) && number >= claimedBelow),
    held: packetsOf(sale, amounts, from, to, (number) => !taken.has(number) && number < claimedBelow),
    moves,
  }))
  if (kind === 'not-now') throw new Error(`${sale.saleId} was opened by another worker while it was rebuilt`)
  return kind === 'loaded'
}

/** Loads chunk by chunk. Another worker may load too, so it continues from the count in Redis. */
async function load(
  shard: Commander,
  sale: Sale,
  loaded: number,
  chunkOf: (from: number, to: number) => Pick<PacketChunk, 'packets' | 'held' | 'moves'>,
): Promise<'loaded' | 'not-now' | 'moved'> {
  const { saleId } = sale
  const count = packetsUpTo(sale)
  for (let from = loaded; from < count; ) {
    const to = Math.min(from + packetsPerCall, count)
    const done = await loadPackets(shard, saleId, { from, to, ...chunkOf(from, to) })
    if (done.kind === 'unknown-sale') throw new Error(`Redis lost the stock of ${saleId} while it was loaded`)
    if (done.kind === 'not-now' || done.kind === 'moved') return done.kind
    from = done.loaded
  }
  return 'loaded'
}

/** Returns how many packets the windows of the sale have up to the present one. */
export function packetsUpTo(sale: Sale): number {
  return presentWaves(sale).reduce((sum, { count }) => sum + count, 0)
}

/**
 * Returns how many packets must be loaded at `now`, epoch ms: those of a window are loaded before the sale opens or moves to
 * the next. If fewer are loaded, Redis has lost some, and only a recovery knows which were claimed. Before the sale opens, no
 * shopper can have any.
 */
export function minLoadedPackets(sale: Sale, now: number): number {
  const { epoch, windowIndex, startsAt } = sale
  if (epoch === 0 || (windowIndex === 0 && now < startsAt)) return 0
  return packetsUpTo({ ...sale, windowIndex: Math.max(0, windowIndex - 1) })
}

/** Returns the packets from number `from` up to `to` that are `wanted`, in claiming order. */
function packetsOf(
  { currency }: Sale,
  amounts: Float64Array,
  from: number,
  to: number,
  wanted: (number: number) => boolean,
): PacketChunk['packets'] {
  const numbers = Array.from({ length: to - from }, (_, at) => from + at).filter(wanted)
  return numbers.map((number) => ({ number, amount: amounts[number] ?? 0, currency }))
}
