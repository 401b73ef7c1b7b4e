/**
 * Puts the red packets of a sale on the shelf. How the money falls follows from a seed that only the table knows, so a loading
 * that was cut off goes on where it stopped, and packets that Redis lost are split the same way again.
 */
import type { SaleId } from '../../core/ids.ts'
import { splitPackets, wavesOf } from '../../core/packets.ts'
import { hasEnded, type Sale } from '../../core/sale.ts'
import type { Chunk, Loaded, PacketCounts } from '../../redis/packets.ts'
import { drawFromSeed } from './seeded-random.ts'

export type PacketStock = {
  /** Most packets of one chunk. */
  chunkSize: number
  /** Undefined when no stock is on the shelf. Throws when Redis is unavailable. */
  count: (saleId: SaleId) => Promise<PacketCounts | undefined>
  /** A chunk counts once. Throws when Redis is unavailable. */
  load: (saleId: SaleId, chunk: Chunk) => Promise<Loaded>
}

/** The seed of a sale: 32 random bytes, drawn when it is first asked for and the same ever after. */
export type PacketSeeds = { of: (saleId: SaleId) => Promise<Uint8Array> }

export type PacketPorts = { packetStock: PacketStock; packetSeeds: PacketSeeds; clock: () => number }

/**
 * Makes sure that every packet of the windows up to the present one is on the shelf. A sale of something else has none, and
 * one that has ended gets no more. `claimed` is for who rebuilds a frozen sale: the numbers to leave out. Nobody else puts
 * anything there meanwhile, nor where Redis has forgotten packets that somebody may have. Throws when a part is unavailable, and when
 * the stock is lost on the way.
 */
export async function loadSalePackets(
  { packetStock, packetSeeds, clock }: PacketPorts,
  sale: Sale,
  claimed?: ReadonlySet<number>,
): Promise<void> {
  if (sale.kind !== 'red-packet' || hasEnded(sale, clock())) return
  const { saleId } = sale
  const counts = await packetStock.count(saleId)
  if (counts === undefined || counts.loaded >= packetsUpTo(sale)) return
  if (claimed === undefined && counts.loaded < packetsOnceThere(sale)) return
  const amounts = splitAmounts(await packetSeeds.of(saleId), sale)
  const ranks = ranksOf(amounts.length, claimed ?? new Set())
  for (let from = counts.loaded; from < amounts.length; ) {
    const to = Math.min(from + packetStock.chunkSize, amounts.length)
    const packets = packetsOf(amounts, ranks, from, to)
    const rebuilding = claimed !== undefined
    const loaded = await packetStock.load(saleId, { from, to, packets, currency: sale.currency, rebuilding })
    if (loaded.kind === 'unknown-sale')
      throw new Error(`Redis lost the stock of ${saleId} while it was loaded`)
    if (loaded.kind === 'not-now') {
      if (claimed === undefined) return
      throw new Error(`${saleId} was opened by somebody else while it was rebuilt`)
    }
    // Somebody else loads as well, or the shelf was cleared: what it says is where to go on.
    from = loaded.loaded
  }
}

/** How many packets the windows of the sale have up to the present one. */
export function packetsUpTo(sale: Sale): number {
  return presentWaves(sale).reduce((sum, { count }) => sum + count, 0)
}

/**
 * Packets that were on the shelf once: those of a window are there before the sale is started, or turns to the next. Where
 * fewer are loaded, Redis has forgotten some, and which of them were claimed only a rebuild knows.
 */
export function packetsOnceThere(sale: Sale): number {
  return sale.epoch === 0 ? 0 : packetsUpTo({ ...sale, windowIndex: Math.max(0, sale.windowIndex - 1) })
}

/** The amounts of all packets up to the present window, in minor units, by their number. */
export function splitAmounts(seed: Uint8Array, sale: Sale): Float64Array {
  const amounts = new Float64Array(packetsUpTo(sale))
  let at = 0
  for (const [index, wave] of presentWaves(sale).entries()) {
    amounts.set(splitPackets(wave, drawFromSeed(seed, index)), at)
    at += wave.count
  }
  return amounts
}

const presentWaves = (sale: Sale) => wavesOf(sale).slice(0, sale.windowIndex + 1)

/** The rank of each packet by its number: those still to be claimed come after all that were; 0 for one that was. */
function ranksOf(packets: number, claimed: ReadonlySet<number>): Uint32Array {
  const ranks = new Uint32Array(packets)
  let rank = claimed.size
  for (let packet = 0; packet < packets; packet += 1) {
    if (claimed.has(packet)) continue
    rank += 1
    ranks[packet] = rank
  }
  return ranks
}

function packetsOf(amounts: Float64Array, ranks: Uint32Array, from: number, to: number): Chunk['packets'] {
  const packets: Chunk['packets'][number][] = []
  for (let packet = from; packet < to; packet += 1) {
    const rank = ranks[packet] ?? 0
    if (rank > 0) packets.push({ rank, packet, amount: amounts[packet] ?? 0 })
  }
  return packets
}
