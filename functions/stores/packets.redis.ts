/** The red packets of sales in Redis. */
import type { Commander } from '../../redis/command.ts'
import { countPackets, loadPackets, packetsPerCall, unholdPackets } from '../../redis/packets.ts'
import type { PacketStock } from '../sales/load-packets.ts'

export function redisPacketStock(redis: Commander): PacketStock {
  return {
    chunkSize: packetsPerCall,
    count: (saleId) => countPackets(redis, saleId),
    load: (saleId, chunk) => loadPackets(redis, saleId, chunk),
    unhold: (saleId, unholding) => unholdPackets(redis, saleId, unholding),
  }
}
