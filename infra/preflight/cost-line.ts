/** One item of a bill. */

export type CostLine = { item: string; quantity: string; dollars: number }

/** Pay as you go, or a fixed plan of 250 MB, with the Prod Pack (copies in several zones, an SLA) or without. */
export const redisPlans = ['payg', 'fixed', 'fixed-prod-pack'] as const
export type RedisPlan = (typeof redisPlans)[number]

export const totalOf = (lines: readonly CostLine[]): number =>
  lines.reduce((sum, { dollars }) => sum + dollars, 0)

/** 35.0 m and 6,000: as much as one can read at a glance. */
export function counted(amount: number): string {
  return amount >= 1e6 ? `${(amount / 1e6).toFixed(1)} m` : Math.round(amount).toLocaleString('en')
}
