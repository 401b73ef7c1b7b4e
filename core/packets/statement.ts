/** The statement of a wallet: each movement of money with the balance after it, and how a payout stands. */
import type { Money } from '../money.ts'

export const statementKinds = ['credit', 'payout', 'returned'] as const

/**
 * `credit`: a red packet. `payout`: money that left, or is on its way. `returned`: a payout that was refused.
 * `at` is epoch ms; `amount` is negative for money that left.
 */
type Movement = Money & { kind: (typeof statementKinds)[number]; at: number }

/** The order of movements of one moment: money comes in before it leaves, and leaves before it returns. */
const ranks: Readonly<Record<Movement['kind'], number>> = { credit: 0, payout: 1, returned: 2 }

/** The movements, newest first, each with the `balance` of its currency after it. */
export function statementOf<M extends Movement>(movements: readonly M[]): (M & { balance: number })[] {
  const balances = new Map<string, number>()
  return movements
    .toSorted((a, b) => a.at - b.at || ranks[a.kind] - ranks[b.kind])
    .map((movement) => {
      const balance = (balances.get(movement.currency) ?? 0) + movement.amount
      balances.set(movement.currency, balance)
      return { ...movement, balance }
    })
    .reverse()
}

/** How a payout stands. */
export const payoutStates = ['requested', 'paid', 'refused'] as const

export type PayoutState = (typeof payoutStates)[number]

/** Why one is refused for good, as the shopper can act on it. */
export const payoutReasons = ['account', 'amount', 'currency'] as const
export type PayoutReason = (typeof payoutReasons)[number]
