/** How a payout stands, and why one is refused for good, as the shopper can act on it. */
export const payoutStates = ['requested', 'paid', 'refused'] as const

export type PayoutState = (typeof payoutStates)[number]

export const payoutReasons = ['account', 'amount', 'currency'] as const
export type PayoutReason = (typeof payoutReasons)[number]
