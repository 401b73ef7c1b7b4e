/**
 * The port to the table in which a claim becomes money: the credit in the shopper's wallet, the owner of the packet and what
 * the sale has handed out, which change together or not at all.
 */
import type { Claim } from '../../core/claim.ts'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { wholeOf } from '../../core/packets.ts'
import type { Sale } from '../../core/sale.ts'
import type { Committed } from '../lib/group-commit.ts'

/** What all packets of a sale hold, in minor units. It cannot change once they are on the shelf. */
export function budgetOf(sale: Pick<Sale, 'packets' | 'windows'>): number {
  return wholeOf(sale).totalAmount
}

/** A claim on its way to a wallet, with the budget of its sale. */
export type DueClaim = Claim & { budget: number }

/**
 * Why a claim can never be credited: its shopper has another packet of the sale, its packet has another owner, the sale has
 * no packets or not as much money left, or its books are closed. All mean that Redis had forgotten something.
 */
export type RefusedReason = 'other-packet' | 'packet-taken' | 'over-cap' | 'over-budget' | 'closed'

/** The reasons as a dead letter tells them to whoever looks. */
export const refusedSentences: Readonly<Record<RefusedReason, string>> = {
  'other-packet': 'the shopper was credited with another packet of this sale',
  'packet-taken': 'the packet was credited to another shopper',
  'over-cap': 'every packet of the sale was credited',
  'over-budget': 'the sale has less money left than the packet holds',
  closed: 'the books of the sale are closed: what was left went back',
}

/** What a sale has left: so many packets and so much money, in minor units. */
export type CapLeft = { packets: number; money: number; isClosed: boolean }

/**
 * Why a transaction was refused. `repeats` are shoppers whose claim was credited before, `refused` those whose claim never
 * can be. `left` is there when the cap of the sale was in the way as well.
 */
export type Refusal = {
  kind: 'refused'
  repeats: ReadonlySet<ShopperId>
  refused: ReadonlyMap<ShopperId, 'other-packet' | 'packet-taken'>
  left: CapLeft | undefined
}

/** A claim that is in its wallet, as the packet knows it. */
export type CreditedClaim = Omit<Claim, 'saleId'>

export type ClaimLedger = {
  /**
   * One transaction: all of the claims or none. They are of one sale, at most `fullGroup`, no shopper and no packet twice.
   * `creditedAt` is epoch ms. Throws for a sale without a cap of red packets.
   */
  credit: (claims: readonly DueClaim[], creditedAt: number) => Promise<Committed<Refusal>>
  /** Every credited claim of the sale, in pages; what is credited while they are read may be missing. */
  pages: (saleId: SaleId) => AsyncIterable<readonly CreditedClaim[]>
}
