/**
 * The state of a sale of red packets after a rush, from Redis, DynamoDB and the shoppers. Packets have their public
 * ids.
 */
import type { RedisPackets } from '../../packets-in-redis.ts'
import type { StoredPackets } from '../../packets-in-table.ts'
import type { WonPacket } from '../requests.ts'
import type { Aftermath } from '../verdict.ts'

/** A claim that was answered with a 200, first or repeated. */
export type AnsweredClaim = WonPacket & { shopperId: string }

/**
 * Shoppers `inDoubt` were not answered with a packet and may have one all the same: an answer to
 * them was lost.
 */
export type PacketFacts = Aftermath & {
  packets: number
  totalAmount: number
  shoppers: number
  snapshot: RedisPackets
  money: StoredPackets
  answered: AnsweredClaim[]
  inDoubt: string[]
}
