/** What a limit is, whatever it limits, and the names of all of them. */

/** Whose it is to change. `nobody`: neither a quota nor a setting. */
export type Owner = 'quota' | 'settings' | 'nobody'

/** What makes the need. A crowd is a forecast and wants some room; the stock is known and may use a limit up. */
export type Cause = 'crowd' | 'stock'

export type Limit = {
  name: string
  amount: number
  owner: Owner
  follows: Cause
  /** Where the amount comes from: a public document, or a path in the settings. */
  source: string
  /** What to do when it is short; `ask` is the amount to have. */
  remedy: (ask: string) => string
  /** What happens otherwise. */
  consequence: string
}

export const limitIds = [
  'distribution-requests',
  'distribution-gigabits',
  'edge-requests',
  'edge-concurrency',
  'edge-starts',
  'account-concurrency',
  'seller-concurrency',
  'seller-ready',
  'seller-starts',
  'look-concurrency',
  'payment-concurrency',
  'redis-commands',
  'queue-rate',
  'queue-in-flight',
  'table-writes',
  'table-reads',
  'table-part',
  'flood',
] as const
export type LimitId = (typeof limitIds)[number]

export type Limits = Partial<Record<LimitId, Limit>>
