/**
 * The state of a sale of red packets after a rush, from Redis, DynamoDB and the shoppers. Packets
 * have their public ids everywhere, and amounts are in minor units.
 */
import type { WalletMoney as Balance, OwnedPacket } from '../../invariants/snapshot.ts'
import type { RedisPackets } from '../../packets-in-redis.ts'
import type { Aftermath } from '../aftermath.ts'
import type { WonPacket } from './claim.ts'

/** A credit in a wallet, of any sale. Times are epoch ms. */
export type StoredCredit = OwnedPacket & {
  saleId: string
  currency: string
  claimedAt: number
  creditedAt: number
}

/** The cap of the sale in the table. */
export type Cap = { remaining: number; sold: number; orders: number; budget: number; claimed: number }

/** All wallets, and the sale's items in the table. */
export type StoredMoney = { credits: StoredCredit[]; balances: Balance[]; owners: OwnedPacket[]; cap: Cap }

/** A claim that was answered with a 200, first or repeated. */
export type AnsweredClaim = WonPacket & { shopperId: string }

/**
 * Shoppers `inDoubt` were not answered with a packet and may have one all the same: an answer to
 * them was lost.
 */
export type PacketFacts = Aftermath & {
  saleId: string
  packets: number
  totalAmount: number
  shoppers: number
  snapshot: RedisPackets
  money: StoredMoney
  answered: AnsweredClaim[]
  inDoubt: string[]
}
