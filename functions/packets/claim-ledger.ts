/**
 * The port to the table in which a claim becomes money. The credit in the shopper's wallet, the
 * packet's owner and the sale's total change together or not at all.
 */
import type { Claim } from '../../core/claim.ts'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { wholeOf } from '../../core/packets.ts'
import type { Sale } from '../../core/sale.ts'
import type { Committed } from '../lib/group-commit.ts'

/** What all packets of a sale hold, in minor units. It cannot change once they are loaded. */
export function budgetOf(sale: Pick<Sale, 'packets' | 'windows'>): number {
  return wholeOf(sale).totalAmount
}

/** A claim to be credited, with the budget of its sale. */
export type DueClaim = Claim & { budget: number }

/**
 * Why a claim can never be credited: its shopper has another packet of the sale, its packet has
 * another owner, the sale has too few packets or too little money left, or its budget is closed.
 * Each means that Redis had lost data.
 */
export type RefusedReason = 'other-packet' | 'packet-taken' | 'over-cap' | 'over-budget' | 'closed'

/** The reasons as a dead letter states them. */
export const refusedSentences: Readonly<Record<RefusedReason, string>> = {
  'other-packet': 'the shopper was credited with another packet of this sale',
  'packet-taken': 'the packet was credited to another shopper',
  'over-cap': 'every packet of the sale was credited',
  'over-budget': 'the sale has less money left than the packet holds',
  closed: 'the budget of the sale is closed: what was left went back',
}

/** What a sale has left: packets, and money in minor units. */
export type CapLeft = { packets: number; money: number; isClosed: boolean }

/**
 * Why a transaction was refused. `repeats` are shoppers whose claim was credited before, `refused`
 * those whose claim never can be. `left` is set when the cap of the sale refused as well.
 */
export type CreditRefusal = {
  kind: 'refused'
  repeats: ReadonlySet<ShopperId>
  refused: ReadonlyMap<ShopperId, 'other-packet' | 'packet-taken'>
  left: CapLeft | undefined
}

/**
 * A credited claim, as the packet records it; packets of earlier versions lack `creditedAt` (epoch
 * ms).
 */
export type CreditedClaim = Omit<Claim, 'saleId'> & { creditedAt?: number | undefined }

export type ClaimLedger = {
  /**
   * One transaction: all of the claims or none. They are of one sale, at most `fullGroup`, no
   * shopper and no packet twice. `creditedAt` is epoch ms.
   * @throws for a sale without a cap of red packets
   */
  credit: (claims: readonly DueClaim[], creditedAt: number) => Promise<Committed<CreditRefusal>>
  /**
   * Every credited claim of the sale, in pages; claims credited during the walk may be missing.
   */
  pages: (saleId: SaleId) => AsyncIterable<readonly CreditedClaim[]>
}
