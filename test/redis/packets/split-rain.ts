/** A sale of red packets over several shards of one Redis. */
import { packetOfShard, packetsOfShard } from '../../../core/packets/packet-shards.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { Command, Commander, SplitStocks } from '../../../redis/command.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { type Chunk, countPackets, loadPackets } from '../../../redis/packets/packets.ts'
import { shardsOf } from '../../../redis/shards.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { unfreeze } from '../../../redis/stock/unfreeze.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { raw } from '../support.ts'

/** What the packet of a number holds in these tests. */
export const amountOf = (packet: number) => 100 + packet

/** `redis` as stocks that are split over `count` shards. */
export function splitOver(redis: Commander, count: number): SplitStocks {
  return { exec: (command: Command) => redis.exec(command), shardCount: async () => count }
}

/** Loads the next packets of a shard, up to those of `upTo` packets in all; `held` are held back. */
export async function loadShard(
  shard: Commander,
  { saleId, currency }: Sale,
  [number, shardCount]: readonly [number, number],
  upTo: number,
  held: ReadonlySet<number> | undefined,
): Promise<void> {
  const from = (await countPackets(shard, saleId))?.loaded ?? 0
  const to = packetsOfShard(upTo, number, shardCount)
  const own = Array.from({ length: to - from }, (_, at) => ({
    packet: packetOfShard(from + at, number, shardCount),
    rank: from + at + 1,
  }))
  const packets: Chunk['packets'] = own
    .filter(({ packet }) => held?.has(packet) !== true)
    .map((one) => ({ ...one, amount: amountOf(one.packet) }))
  const heldHere = own.map(({ packet }) => packet).filter((packet) => held?.has(packet))
  await loadPackets(shard, saleId, {
    from,
    to,
    packets,
    held: heldHere,
    currency,
    rebuilding: held !== undefined,
  })
}

/** Warms `sale` with all its packets; those of `held` are held back since 4,000. */
export async function openSplitRain(
  stocks: SplitStocks,
  sale: Sale,
  held: ReadonlySet<number> = new Set(),
): Promise<void> {
  const shards = await shardsOf(stocks, sale.saleId)
  for (const [at, shard] of shards.entries()) {
    const part = { ...sale, stock: packetsOfShard(sale.stock, at, shards.length) }
    await warmStock(shard, part)
    await freeze(shard, sale.saleId)
    await loadShard(shard, sale, [at, shards.length], sale.stock, held)
    await unfreeze(shard, part, 0, { units: undefined, since: 4_000 })
  }
}

/** The numbers of the packets in the list of each shard. */
export async function listsOf(stocks: SplitStocks, { saleId }: Sale): Promise<number[][]> {
  const shards = await shardsOf(stocks, saleId)
  const lists = shards.map(async (shard) => {
    const packets = await raw(shard, 'LRANGE', stockKeys(saleId, shard.shard).packets, '0', '-1')
    return [packets].flat().map((packet) => Number(String(packet).split(' ')[1]))
  })
  return Promise.all(lists)
}

/** The packets that shoppers have, by shard. */
export async function claimedIn(stocks: SplitStocks, { saleId }: Sale): Promise<Map<string, number>[]> {
  const shards = await shardsOf(stocks, saleId)
  const claims = shards.map(async (shard) => {
    const words = [await raw(shard, 'HGETALL', stockKeys(saleId, shard.shard).claims)].flat().map(String)
    const pairs = Array.from({ length: words.length / 2 }, (_, at) => words.slice(2 * at, 2 * at + 2))
    return new Map(pairs.map(([shopper = '', claim = '']) => [shopper, Number(claim.split(' ')[1])]))
  })
  return Promise.all(claims)
}
