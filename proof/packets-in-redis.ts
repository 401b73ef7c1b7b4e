/** Reads a sale of red packets from Redis. Exact only while nothing is being claimed. */
import type { SaleId } from '../core/ids.ts'
import { packetIdOf, type RedPacket, redPacket } from '../core/packets/packet.ts'
import { type Commander, command, type Stocks } from '../redis/command.ts'
import { stockKeys } from '../redis/keys.ts'
import { holdPages } from '../redis/orders/holds.ts'
import { outboxSize } from '../redis/orders/outbox.ts'
import { jsonReply, list } from '../redis/reply.ts'
import { onlyShard } from '../redis/shards.ts'
import { readStock } from '../redis/stock/stock.ts'
import type { OwnedPacket, PacketAmount, PacketsInRedis } from './invariants/snapshot.ts'

/** Packets or claims in one reply: some 200 kB. */
const pageSize = 2000

/** Reads the packets of a sale; undefined when none are loaded. */
export async function readPacketSnapshot(stocks: Stocks, saleId: SaleId): Promise<PacketsInRedis | undefined> {
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
    found.push(...page.map((entry) => amountOf(saleId, jsonReply(redPacket, entry, 'packet'))))
    if (page.length < pageSize) return found
  }
}

const amountOf = (saleId: SaleId, { number, amount }: RedPacket): PacketAmount => ({
  packetId: packetIdOf(saleId, number),
  amount,
})

/** Reads the claims. A scan may return an order twice. */
async function readClaims(redis: Commander, saleId: SaleId): Promise<OwnedPacket[]> {
  const found = new Map<string, OwnedPacket>()
  for await (const page of holdPages(redis, saleId, pageSize)) {
    for (const { shopperId, packet: own } of page) {
      if (own !== undefined) found.set(shopperId, { shopperId, ...amountOf(saleId, own) })
    }
  }
  return [...found.values()]
}
