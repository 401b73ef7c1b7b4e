/**
 * What Redis, DynamoDB and the shoppers say of a sale of red packets after a rush. Packets have their public name everywhere,
 * and amounts are in minor units.
 */
import type { Aftermath } from '../aftermath.ts'
import type { PromisedPacket } from './tap.ts'

export type Packet = { packetId: string; amount: number }

/** A packet and whose it is. */
export type Owned = Packet & { shopperId: string }

/** The sale as Redis holds it: `total` packets of which `loaded` were ever put there, those `waiting` and those claimed. */
export type Shelf = { total: number; loaded: number; waiting: Packet[]; claims: Owned[]; outbox: number }

/** A credit in a wallet, of whichever sale. Times are epoch ms. */
export type Credit = Owned & { saleId: string; currency: string; claimedAt: number; creditedAt: number }

export type Balance = { shopperId: string; currency: string; amount: number }

/** The cap of the sale, as the table counts it down. */
export type Cap = { remaining: number; sold: number; orders: number; budget: number; claimed: number }

/** The wallets of everybody, and what the table knows of this sale. */
export type Money = { credits: Credit[]; balances: Balance[]; owners: Owned[]; cap: Cap }

/** What one shopper was promised by a 200, first or again. */
export type Promised = PromisedPacket & { shopperId: string }

/** Those `inDoubt` were promised nothing, and may have a packet all the same: an answer to them was lost. */
export type PacketFacts = Aftermath & {
  saleId: string
  packets: number
  totalAmount: number
  shoppers: number
  shelf: Shelf
  money: Money
  promises: Promised[]
  inDoubt: string[]
}
