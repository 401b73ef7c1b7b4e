/** Reads a sale of red packets from Redis. Exact only while nothing is being claimed. */

import type { SaleId } from '../core/ids.ts'
import { packetIdOf } from '../core/packets/claim.ts'
import { type Commander, command, type Stocks } from '../redis/command.ts'
import { stockKeys } from '../redis/keys.ts'
import { outboxSize } from '../redis/orders/outbox.ts'
import { claimPages } from '../redis/packets/stored-claims.ts'
import { integer, list, text } from '../redis/reply.ts'
import { onlyShard } from '../redis/shards.ts'
import { readStock } from '../redis/stock/stock.ts'
import type { OwnedPacket, PacketAmount } from './invariants/snapshot.ts'

/**
 * The sale in Redis: `total` packets of which `loaded` were ever loaded, the `waiting` ones and the
 * claimed ones.
 */
export type RedisPackets = {
  total: number
  loaded: number
  waiting: PacketAmount[]
  claims: OwnedPacket[]
  outbox: number
}

/** Packets or claims in one reply: some 200 kB. */
const pageSize = 2000

/** Undefined when no packets of the sale are loaded. */
export async function readPacketSnapshot(stocks: Stocks, saleId: SaleId): Promise<RedisPackets | undefined> {
  const stock = await readStock(stocks, saleId)
  if (stock?.packets === undefined) return undefined
  const redis = await onlyShard(stocks, saleId)
  return {
    total: stock.total,
    loaded: stock.packets.loaded,
    waiting: await readWaiting(redis, saleId),
    claims: await readClaims(redis, saleId),
    outbox: await outboxSize(stocks, saleId),
  }
}

async function readWaiting(redis: Commander, saleId: SaleId): Promise<PacketAmount[]> {
  const found: PacketAmount[] = []
  for (;;) {
    const range = [String(found.length), String(found.length + pageSize - 1)]
    const page = list(await command(redis, ['LRANGE', stockKeys(saleId, redis.shard).packets, ...range]), 'packets')
    found.push(...page.map((entry) => readPacket(saleId, text(entry, 'packet'))))
    if (page.length < pageSize) return found
  }
}

/** A packet as load-packets.lua stores it: `<rank> <number> <amount> <currency>`. */
function readPacket(saleId: SaleId, entry: string): PacketAmount {
  const [, packet, amount] = entry.split(' ')
  return { packetId: packetIdOf(saleId, integer(packet, 'packet')), amount: integer(amount, 'amount') }
}

/** A scan may return a claim twice. */
async function readClaims(redis: Commander, saleId: SaleId): Promise<OwnedPacket[]> {
  const found = new Map<string, OwnedPacket>()
  for await (const page of claimPages(redis, saleId, pageSize)) {
    for (const { shopperId, packet, amount } of page) {
      found.set(shopperId, { shopperId, packetId: packetIdOf(saleId, packet), amount })
    }
  }
  return [...found.values()]
}
