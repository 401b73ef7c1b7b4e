/**
 * Refuses a client after too many misses, counted in the memory of one instance: it protects the table from
 * guesses, each of which costs a read. Nothing can be guessed in any number of tries that passes here.
 */
import { setBounded } from '../../core/lib/bounded-map.ts'

export type MissThrottle = {
  /** The whole seconds until `who` may try again; 0 for now. */
  waitSeconds: (who: string) => number
  add: (who: string) => void
}

/** Clients that are remembered. */
const maxClients = 10_000

/** `limit` misses within `windowMs` refuse a client until the window is over. */
export function missThrottle(
  { limit, windowMs }: { limit: number; windowMs: number },
  clock: () => number,
): MissThrottle {
  const windows = new Map<string, { until: number; misses: number }>()
  const open = (who: string) => {
    const window = windows.get(who)
    return window !== undefined && clock() < window.until ? window : undefined
  }
  return {
    waitSeconds(who) {
      const window = open(who)
      return window === undefined || window.misses < limit ? 0 : Math.ceil((window.until - clock()) / 1000)
    },
    add(who) {
      const { until, misses } = open(who) ?? { until: clock() + windowMs, misses: 0 }
      setBounded(windows, who, { until, misses: misses + 1 }, maxClients)
    },
  }
}
