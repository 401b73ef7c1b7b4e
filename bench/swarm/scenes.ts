/** The layers that keep bots out, each switched by what a marketer can set in a sale. */
import { defaultThrottle } from '../../core/sale.ts'

export type Scene = { name: string; throttle: boolean; challenge: boolean }

/** Every layer alone and together, so that each one's worth is seen. */
export const scenes: readonly Scene[] = [
  { name: 'every layer off', throttle: false, challenge: false },
  { name: 'throttle', throttle: true, challenge: false },
  { name: 'challenge', throttle: false, challenge: true },
  { name: 'throttle + challenge', throttle: true, challenge: true },
]

/** A throttle that nobody reaches. */
const open = {
  perShopper: { limit: 1000, windowSeconds: 1 },
  perIp: { limit: 1_000_000, windowSeconds: 1 },
  perSale: { limit: 1_000_000, windowSeconds: 1 },
}

/** The part of a sale's definition that a scene sets. */
export function settingsOf({ throttle, challenge }: Scene) {
  return {
    throttle: throttle ? defaultThrottle : open,
    challenge: challenge ? ('pow' as const) : ('off' as const),
  }
}
