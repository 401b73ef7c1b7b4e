/** The layers of bot protection, each switched by a setting of the sale. */
import { defaultThrottle } from '../../../core/sale/sale.ts'

export type Setup = { name: string; throttle: boolean; challenge: boolean; spreadSeconds: number }

/** Each layer alone and all together, to show the effect of each. */
export const setups: readonly Setup[] = [
  { name: 'every layer off', throttle: false, challenge: false, spreadSeconds: 0 },
  { name: 'throttle', throttle: true, challenge: false, spreadSeconds: 0 },
  { name: 'challenge', throttle: false, challenge: true, spreadSeconds: 0 },
  { name: 'throttle + challenge', throttle: true, challenge: true, spreadSeconds: 0 },
  { name: 'throttle + challenge + spread', throttle: true, challenge: true, spreadSeconds: 10 },
]

/** A throttle that is never reached. */
const open = {
  perShopper: { limit: 1000, windowSeconds: 1 },
  perIp: { limit: 1_000_000, windowSeconds: 1 },
}

/** The settings of a sale for a setup. */
export function setupSettings({ throttle, challenge, spreadSeconds }: Setup) {
  return {
    throttle: throttle ? defaultThrottle : open,
    challenge: challenge ? ('pow' as const) : ('off' as const),
    spreadSeconds,
  }
}
