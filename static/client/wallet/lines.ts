/** The words of a movement of money. */
import type { StatementLine } from '../../../core/api/wallet.ts'
import type { PayoutReason } from '../../../core/packets/statement.ts'
import type { walletMessages } from '../../messages/catalogues.ts'

export type WalletKey = keyof typeof walletMessages

const payouts = {
  requested: 'wallet.payout.requested',
  paid: 'wallet.payout.paid',
  refused: 'wallet.payout.refused',
} as const satisfies Record<NonNullable<StatementLine['state']>, WalletKey>

export function lineKey({ kind, state = 'requested' }: StatementLine): WalletKey {
  if (kind === 'credit') return 'wallet.credit'
  return kind === 'returned' ? 'wallet.returned' : payouts[state]
}

/** What the shopper can do about a refused payout. */
export const reasonKeys: Readonly<Record<PayoutReason, WalletKey>> = {
  account: 'wallet.reason.account',
  amount: 'wallet.reason.amount',
  currency: 'wallet.reason.currency',
}
