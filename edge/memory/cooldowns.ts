/**
 * Clients that were asked to retry later because all places were taken (G4). A client that comes
 * back before its `Retry-After` is refused again and its wait starts anew, also when a place has
 * just come free: otherwise free places would go to the client that asks most often.
 *
 * Clients are known by their unverified token, because the crowd must cost no signature check. Each
 * instance has its own bounded memory; the least recently seen tokens are dropped first.
 */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../../core/ids.ts'
import type { EdgeHeaders } from '../cloudfront.ts'
import { tokenKeyIn } from '../find-session-token.ts'

/**
 * `headers` are those of the client's request; `now` is epoch ms. Does nothing for a client without
 * a token.
 */
export type Cooldowns = {
  start(saleId: SaleId, headers: EdgeHeaders, seconds: number, now: number): void
  isRunning(saleId: SaleId, headers: EdgeHeaders, now: number): boolean
}

/** At least this many are kept, at most twice as many; each takes about 150 bytes. */
const maxCooldowns = 25_000

type Cooldown = { startedAt: number; ms: number }

export function createCooldowns(): Cooldowns {
  const cooldowns = new QuickLRU<string, Cooldown>({ maxSize: maxCooldowns })
  let lastEndsAt = 0
  return {
    start(saleId, headers, seconds, now) {
      const key = keyOf(saleId, headers)
      if (key === undefined) return
      const ms = seconds * 1000
      cooldowns.set(key, { startedAt: now, ms })
      lastEndsAt = Math.max(lastEndsAt, now + ms)
    },
    isRunning(saleId, headers, now) {
      // While no cooldown runs, which is nearly always, no token is read.
      if (now >= lastEndsAt) return false
      const key = keyOf(saleId, headers)
      const cooldown = key === undefined ? undefined : cooldowns.get(key)
      if (cooldown === undefined) return false
      const elapsed = now - cooldown.startedAt
      // A clock that was set back must not lengthen a wait.
      return elapsed >= 0 && elapsed < cooldown.ms
    },
  }
}

function keyOf(saleId: SaleId, headers: EdgeHeaders): string | undefined {
  const token = tokenKeyIn(headers)
  return token === undefined ? undefined : `${saleId} ${token}`
}
