/**
 * Loads the red packets of a sale. The amounts follow from what the table alone knows (packet-split.ts), so an
 * interrupted load continues where it stopped, and lost packets are split the same way again.
 */

import { hasEnded, type Sale } from '../../core/sale/sale.ts'
import { type Chunk, countPackets, loadPackets, packetsPerCall } from '../../redis/packets/packets.ts'
import { onlyShard } from '../../redis/shards.ts'
import type { Shop, StockPorts } from '../lib/shop/shop.ts'
import { packetAmounts, presentWaves } from './packet-split.ts'

/**
 * What a recovery knows of the packets: the numbers that are `claimed`, all of them below
 * `handedOutBelow`. A packet below it that is not claimed may have been handed out, so it is held
 * back.
 */
export type PacketsKnown = { claimed: ReadonlySet<number>; handedOutBelow: number }

/**
 * Loads every packet of the windows up to the current one. Sales of another kind have none, and an
 * ended sale gets no more: its recovery only holds back what may have been handed out. Nothing is
 * loaded where Redis has lost packets that a shopper may have.
 * @throws when a part is unavailable, and when the stock is lost meanwhile
 */
export async function loadSalePackets(ports: LoadPorts, sale: Sale): Promise<void> {
  if (sale.kind === 'red-packet' && !hasEnded(sale, ports.clock())) await load(ports, sale)
}

/**
 * The same for a frozen sale that is recovered, while nothing else loads packets.
 * @throws when a part is unavailable, and when the stock is lost meanwhile
 */
export function reloadPackets(ports: LoadPorts, sale: Sale, known: PacketsKnown): Promise<void> {
  return load(ports, sale, known)
}

type LoadPorts = StockPorts & Pick<Shop, 'randomBytes'>

async function load(ports: LoadPorts, sale: Sale, known?: PacketsKnown): Promise<void> {
  const { stock, clock } = ports
  const { saleId, currency } = sale
  const isOver = hasEnded(sale, clock())
  const shard = await onlyShard(stock, saleId)
  const counts = await countPackets(shard, saleId)
  const count = packetsUpTo(sale)
  if (counts === undefined || counts.loaded >= count) return
  if (known === undefined && counts.loaded < packetsOnceThere(sale, clock())) return
  const amounts = await packetAmounts(ports, sale)
  for (let from = counts.loaded; from < count; ) {
    const to = Math.min(from + packetsPerCall, count)
    const { packets, held } = packetsOf(amounts, known ?? nothingClaimed, from, to)
    const loaded = await loadPackets(shard, saleId, {
      ...{ from, to, held, currency },
      packets: isOver ? [] : packets,
      rebuilding: known !== undefined,
    })
    if (loaded.kind === 'unknown-sale') throw new Error(`Redis lost the stock of ${saleId} while it was loaded`)
    if (loaded.kind === 'not-now') {
      if (known === undefined) return
      throw new Error(`${saleId} was opened by another worker while it was rebuilt`)
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
 * How many packets must have been loaded at `now`, epoch ms: those of a window are there before the sale opens or
 * turns to the next. If fewer are loaded, Redis has lost some, and only a recovery knows which of
 * them were claimed. Before it opens, no shopper can have any.
 */
export function packetsOnceThere(sale: Sale, now: number): number {
  const { epoch, windowIndex, startsAt } = sale
  if (epoch === 0 || (windowIndex === 0 && now < startsAt)) return 0
  return packetsUpTo({ ...sale, windowIndex: Math.max(0, windowIndex - 1) })
}

const nothingClaimed: PacketsKnown = { claimed: new Set(), handedOutBelow: 0 }

/**
 * The packets from number `from` up to `to`. They are claimed in this order. The rank of a packet is how
 * many are claimed or held back once it is claimed.
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
