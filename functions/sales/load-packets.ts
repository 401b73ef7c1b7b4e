/**
 * Loads the red packets of a sale. The amounts follow from what the table alone knows (packet-split.ts), so an
 * interrupted load continues where it stopped, and lost packets are split the same way again.
 */

import { packetOfShard, packetsOfShard } from '../../core/packets/packet-shards.ts'
import { hasEnded, type Sale } from '../../core/sale/sale.ts'
import type { Commander, Stocks } from '../../redis/command.ts'
import { RedisUnavailable } from '../../redis/errors.ts'
import { type Chunk, countPackets, loadPackets, packetsPerCall } from '../../redis/packets/packets.ts'
import { shardsOf } from '../../redis/shards.ts'
import type { Shop, StockPorts } from '../lib/shop/shop.ts'
import { packetAmounts, presentWaves } from './packet-split.ts'

/**
 * What a recovery knows of the packets: the numbers that are `claimed`, all of them below
 * `handedOutBelow`. A packet below it that is not claimed may have been handed out, so it is held
 * back.
 */
export type PacketsKnown = { claimed: ReadonlySet<number>; handedOutBelow: number }

/** The packets of one shard of a sale. */
export type PacketList = { shard: Commander; number: number; shardCount: number }

/** The lists of all shards, in their order. */
export async function packetListsOf(stock: Stocks, { saleId }: Sale): Promise<readonly PacketList[]> {
  const shards = await shardsOf(stock, saleId)
  return shards.map((shard, number) => ({ shard, number, shardCount: shards.length }))
}

/**
 * Loads every packet of the windows up to the current one. Sales of another kind have none, and an
 * ended sale gets no more: its recovery only holds back what may have been handed out. Nothing is
 * loaded where Redis has lost packets that a shopper may have. Once the sale was
 * started, a shard that does not answer keeps no other from getting its packets; `repair` loads them when it answers.
 * @throws when a part is unavailable, and when a stock is lost meanwhile
 */
export async function loadSalePackets(ports: StockPorts & Pick<Shop, 'randomBytes'>, sale: Sale): Promise<void> {
  if (sale.kind !== 'red-packet' || hasEnded(sale, ports.clock())) return
  const lists = await packetListsOf(ports.stock, sale)
  const amountsOf = rememberAmounts(ports, sale)
  const loads = await Promise.allSettled(lists.map((list) => loadList(ports, sale, list, { amountsOf })))
  const failures = loads.flatMap((load) => (load.status === 'rejected' ? [load.reason] : []))
  const serious = failures.find((error) => !(error instanceof RedisUnavailable))
  const isEnough = sale.epoch > 0 && failures.length < lists.length
  if (serious !== undefined || (failures.length > 0 && !isEnough)) throw serious ?? failures[0]
}

/**
 * The same for one list of a frozen sale that is recovered, while nothing else loads packets.
 * @throws when a part is unavailable, and when the stock is lost meanwhile
 */
export async function reloadPackets(
  ports: StockPorts & Pick<Shop, 'randomBytes'>,
  sale: Sale,
  list: PacketList,
  known: PacketsKnown,
): Promise<void> {
  return loadList(ports, sale, list, { amountsOf: rememberAmounts(ports, sale), known })
}

/** Splits the money when it is first asked for. */
function rememberAmounts(ports: StockPorts & Pick<Shop, 'randomBytes'>, sale: Sale): () => Promise<Float64Array> {
  let amounts: Promise<Float64Array> | undefined
  return () => {
    amounts ??= packetAmounts(ports, sale)
    return amounts
  }
}

async function loadList(
  { clock }: StockPorts,
  sale: Sale,
  { shard, number, shardCount }: PacketList,
  { amountsOf, known }: { amountsOf: () => Promise<Float64Array>; known?: PacketsKnown },
): Promise<void> {
  const isOver = hasEnded(sale, clock())
  const { saleId } = sale
  const counts = await countPackets(shard, saleId)
  const count = packetsOfShard(packetsUpTo(sale), number, shardCount)
  if (counts === undefined || counts.loaded >= count) return
  const onceThere = packetsOfShard(packetsOnceThere(sale, clock()), number, shardCount)
  if (known === undefined && counts.loaded < onceThere) return
  const amounts = await amountsOf()
  for (let from = counts.loaded; from < count; ) {
    const to = Math.min(from + packetsPerCall, count)
    const numbers = Array.from({ length: to - from }, (_, at) => packetOfShard(from + at, number, shardCount))
    const { packets, held } = packetsOf(amounts, known ?? nothingClaimed, numbers, from)
    const loaded = await loadPackets(shard, saleId, {
      ...{ from, to, held, currency: sale.currency },
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
 * The packets `numbers` of a shard, the first at `from` in it. They are claimed in this order. The rank of
 * a packet is how many are before it, which are all claimed or held back.
 */
function packetsOf(
  amounts: Float64Array,
  { claimed, handedOutBelow }: PacketsKnown,
  numbers: readonly number[],
  from: number,
): Pick<Chunk, 'packets' | 'held'> {
  const packets: Chunk['packets'][number][] = []
  const held: number[] = []
  for (const [at, packet] of numbers.entries()) {
    if (claimed.has(packet)) continue
    if (packet < handedOutBelow) held.push(packet)
    else packets.push({ rank: from + at + 1, packet, amount: amounts[packet] ?? 0 })
  }
  return { packets, held }
}
