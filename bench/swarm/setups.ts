/** The layers of bot protection, each switched by a setting of the sale. */
import { defaultThrottle } from '../../core/sale.ts'

export type Setup = { name: string; throttle: boolean; challenge: boolean }

/** Each layer alone and all together, to show the effect of each. */
export const setups: readonly Setup[] = [
  { name: 'every layer off', throttle: false, challenge: false },
  { name: 'throttle', throttle: true, challenge: false },
  { name: 'challenge', throttle: false, challenge: true },
  { name: 'throttle + challenge', throttle: true, challenge: true },
]

/** A throttle that is never reached. */
const open = {
  perShopper: { limit: 1000, windowSeconds: 1 },
  perIp: { limit: 1_000_000, windowSeconds: 1 },
}

/** The settings of a sale for a setup. */
export function setupSettings({ throttle, challenge }: Setup) {
  return {
    throttle: throttle ? defaultThrottle : open,
    challenge: challenge ? ('pow' as const) : ('off' as const),
  }
}
