/**
 * Which shard of a split stock has a red packet, and the walk of a shopper over the shards. Packet p
 * is that of shard p mod N for good, so each shard has its own packets in their order, and the
 * amounts stay those of the seed. A shopper begins at the home shard with hop 0, and each shard
 * without packets sends them on with the next hop, round and round.
 */

/** The shard that has the packet of this number. */
export function shardOfPacket(packet: number, shardCount: number): number {
  return packet % shardCount
}

/** How many of the packets numbered below `count` the shard has. */
export function packetsOfShard(count: number, shard: number, shardCount: number): number {
  return Math.max(0, Math.ceil((count - shard) / shardCount))
}

/** The number of the shard's packet at `index` of its own, from 0. */
export function packetOfShard(index: number, shard: number, shardCount: number): number {
  return index * shardCount + shard
}

/** The shard to which a shopper with this home comes with `hop`. */
export function shardOfHop(home: number, hop: number, shardCount: number): number {
  return (home + hop) % shardCount
}

/** More rounds than any walk has. */
const lastRound = 1_000_000

/** A hop later than any of a walk, after which a shopper with this home comes to `shard`. */
export function hopBefore(shard: number, home: number, shardCount: number): number {
  return lastRound * shardCount + ((shard - home - 1 + shardCount) % shardCount)
}

/** True when a shopper with this home passes `passed` on the first way to `shard`. */
export function isPassed(passed: number, shard: number, home: number, shardCount: number): boolean {
  const hopsTo = (to: number) => (to - home + shardCount) % shardCount
  return hopsTo(passed) < hopsTo(shard)
}
