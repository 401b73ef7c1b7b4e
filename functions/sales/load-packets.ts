/**
 * Loads the red packets of a sale. The amounts follow from a seed that only the table knows, so an
 * interrupted load continues where it stopped, and lost packets are split the same way again.
 */
import type { SaleId } from '../../core/ids.ts'
import { splitPackets, wavesOf } from '../../core/packets.ts'
import { hasEnded, type Sale } from '../../core/sale.ts'
import type { Stocks } from '../../redis/command.ts'
import { type Chunk, countPackets, loadPackets, packetsPerCall } from '../../redis/packets.ts'
import { drawFromSeed } from './seeded-random.ts'

/**
 * The seed of a sale: 32 random bytes, drawn when it is first asked for and the same ever after.
 */
export type PacketSeeds = { of: (saleId: SaleId) => Promise<Uint8Array> }

export type PacketPorts = { stock: Stocks; packetSeeds: PacketSeeds; clock: () => number }

/**
 * What a recovery knows of the packets: the numbers that are `claimed`, all of them below
 * `handedOutBelow`. A packet below it that is not claimed may have been handed out, so it is held
 * back.
 */
export type PacketsKnown = { claimed: ReadonlySet<number>; handedOutBelow: number }

/**
 * Loads every packet of the windows up to the current one. Sales of another kind have none, and an
 * ended sale gets no more: its recovery only holds back what may have been handed out. `known` is
 * for the recovery of a frozen sale, while nothing else loads packets; nor does anything where
 * Redis has lost packets that a shopper may have. @throws when a part is unavailable, and when the
 * stock is lost meanwhile
 */
export async function loadSalePackets(
  { stock, packetSeeds, clock }: PacketPorts,
  sale: Sale,
  known?: PacketsKnown,
): Promise<void> {
  const isOver = hasEnded(sale, clock())
  if (sale.kind !== 'red-packet' || (isOver && known === undefined)) return
  const { saleId } = sale
  const counts = await countPackets(stock, saleId)
  if (counts === undefined || counts.loaded >= packetsUpTo(sale)) return
  if (known === undefined && counts.loaded < packetsOnceThere(sale)) return
  const amounts = splitAmounts(await packetSeeds.of(saleId), sale)
  for (let from = counts.loaded; from < amounts.length; ) {
    const to = Math.min(from + packetsPerCall, amounts.length)
    const { packets, held } = packetsOf(amounts, known ?? nothingClaimed, from, to)
    const loaded = await loadPackets(stock, saleId, {
      ...{ from, to, held, currency: sale.currency },
      packets: isOver ? [] : packets,
      rebuilding: known !== undefined,
    })
    if (loaded.kind === 'unknown-sale')
      throw new Error(`Redis lost the stock of ${saleId} while it was loaded`)
    if (loaded.kind === 'not-now') {
      if (known === undefined) return
      throw new Error(`${saleId} was opened by somebody else while it was rebuilt`)
    }
    // Another worker loads too, or the packets were removed: continue where Redis is.
    from = loaded.loaded
  }
}

/** How many packets the windows of the sale have up to the present one. */
export function packetsUpTo(sale: Sale): number {
  return presentWaves(sale).reduce((sum, { count }) => sum + count, 0)
}

/**
 * How many packets must have been loaded: those of a window are there before the sale starts or
 * turns to the next. If fewer are loaded, Redis has lost some, and only a recovery knows which of
 * them were claimed.
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

const nothingClaimed: PacketsKnown = { claimed: new Set(), handedOutBelow: 0 }

/**
 * Packets are claimed in the order of their numbers, and those before one are claimed or held back:
 * so many are its rank.
 */
function packetsOf(
  amounts: Float64Array,
  { claimed, handedOutBelow }: PacketsKnown,
  from: number,
  to: number,
): Pick<Chunk, 'packets' | 'held'> {
  const packets: Chunk['packets'][number][] = []
  const held: number[] = []
  for (let packet = from; packet < to; packet += 1) {
    if (claimed.has(packet)) continue
    if (packet < handedOutBelow) held.push(packet)
    else packets.push({ rank: packet + 1, packet, amount: amounts[packet] ?? 0 })
  }
  return { packets, held }
}
