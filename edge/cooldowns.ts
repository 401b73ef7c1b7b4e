/**
 * Who was asked to retry later because every place was taken (G4). A client that comes back before its `Retry-After` is
 * refused again and its wait starts anew, also when a place has just come free: otherwise freed places would go to the
 * client that asks most often.
 *
 * Counted by the token, unchecked, as early clicks are: the crowd must cost no signature. The memory is this instance's own
 * and bounded; the longest unseen tokens are forgotten first.
 */
import QuickLRU from 'quick-lru'
import { tokenKey } from './session-token.ts'
import { saleOf, type Visit } from './visit.ts'

export type Cooldowns = {
  /** The client of `visit` was asked to come back to this sale after `seconds`. */
  start(visit: Visit, seconds: number): void
  /** Whether the client of `visit` comes back to this sale too early. */
  isRunning(visit: Visit): boolean
}

/** At least so many are remembered, at most twice as many; each takes about 150 bytes. */
const maxCooldowns = 25_000

type Cooldown = { startedAt: number; ms: number }

export function createCooldowns(): Cooldowns {
  const cooldowns = new QuickLRU<string, Cooldown>({ maxSize: maxCooldowns })
  let lastEndsAt = 0
  return {
    start(visit, seconds) {
      const key = keyOf(visit)
      if (key === undefined) return
      const ms = seconds * 1000
      cooldowns.set(key, { startedAt: visit.now, ms })
      lastEndsAt = Math.max(lastEndsAt, visit.now + ms)
    },
    isRunning(visit) {
      // While no cooldown runs, which is nearly always, no token is read.
      if (visit.now >= lastEndsAt) return false
      const key = keyOf(visit)
      const cooldown = key === undefined ? undefined : cooldowns.get(key)
      if (cooldown === undefined) return false
      const elapsed = visit.now - cooldown.startedAt
      // A clock that was set back must not lengthen a wait.
      return elapsed >= 0 && elapsed < cooldown.ms
    },
  }
}

/** Undefined without a token, and on paths that name no sale. */
function keyOf(visit: Visit): string | undefined {
  const sale = saleOf(visit)
  const token = sale && tokenKey(visit.request.headers)
  return token === undefined ? undefined : `${sale?.saleId} ${token}`
}
