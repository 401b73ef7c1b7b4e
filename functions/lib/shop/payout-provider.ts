/**
 * The port to the payment provider for money that leaves: the balance of a wallet goes to its shopper (N5).
 * Every call can be repeated: the payout's id makes it one payout.
 */
import type { ShopperId } from '../../../core/ids.ts'
import type { Money } from '../../../core/money.ts'
import type { PayoutReason } from '../../../core/packets/statement.ts'

/** `account` is the shopper's at the provider, where it has accounts. `requestedAt` is epoch ms. */
export type Payout = Money & {
  payoutId: string
  shopperId: ShopperId
  account?: string
  requestedAt: number
}

/** How a payout ended, once and for all. */
export type PayoutOutcome = { kind: 'paid' } | { kind: 'refused'; reason: PayoutReason }

/** Whether a shopper can be paid. `url` is the provider's page on which the shopper opens an account. */
export type PayoutAccount = { kind: 'ready'; account?: string } | { kind: 'onboarding'; account: string; url: string }

/** Both throw when the provider cannot be reached, or its answer leaves open what became of the call. */
export type PayoutProvider = {
  /** Looks at the shopper's account that is `known`, or opens one: the first, or one in place of a lost one. */
  account: (shopperId: ShopperId, known: string | undefined) => Promise<PayoutAccount>
  /** Pays, or finds out what became of an earlier call; `pending` while that is open. */
  payOut: (payout: Payout) => Promise<PayoutOutcome | { kind: 'pending' }>
}
