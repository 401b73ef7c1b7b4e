/**
 * Limits the requests of one shopper, counted in this instance's memory (R2). It is approximate: a shopper served by
 * two instances may get twice the limit, and a new instance starts from zero. The exact window is in reserve.lua; this
 * one keeps load away from it.
 *
 * It keeps the times of the requests that passed: in any window of the given length at most `limit` pass, with no burst
 * at the window's edge. Refused requests do not count, so a client that waits for `Retry-After` passes.
 */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../../core/ids.ts'
import type { ThrottleRule } from '../../core/sale/sale.ts'

/** The requests that count together. */
export type ThrottleScope =
  | SaleId
  | `challenge of ${SaleId}`
  | `early for ${SaleId}`
  | 'passes'
  | 'customer sessions'
  | 'order changes'
  | 'order reads'

/**
 * `undoCount` removes a request that passed here and was refused later through no fault of the shopper; call it at most
 * once. `ignoresRetryAfter` is true once per shopper and window: when the shopper returned twice before `Retry-After`.
 */
type Pace =
  | { kind: 'passed'; undoCount(): void }
  | { kind: 'too-fast'; waitSeconds: number; ignoresRetryAfter: boolean }

export type Throttle = {
  /** Counts the request of `who` if it may pass; otherwise returns the whole seconds until the next one may. */
  judge(scope: ThrottleScope, who: string, rule: ThrottleRule): Pace
  /** How long a request would have to wait, without counting one: 0 when it may pass now. */
  waitSeconds(scope: ThrottleScope, who: string, rule: ThrottleRule): number
}

/** `refusals` counts since the last request that passed; `ignoredAt` is when `ignoresRetryAfter` was last true. */
type Log = { passed: number[]; refusals: number; ignoredAt: number }

/** The first refusal has a `Retry-After`; two more requests before that time are no accident. */
const maxRefusals = 3

/** At least this many shoppers are kept, at most twice as many. */
const maxShoppers = 25_000
/** Times kept for all shoppers together, 8 bytes each. */
const maxTimes = 1_000_000

/** `clock` gives epoch ms. */
export function createThrottle(clock: () => number): Throttle {
  let times = 0
  const logs = new QuickLRU<string, Log>({
    maxSize: maxShoppers,
    onEviction: (_key, log) => {
      times -= log.passed.length
    },
  })

  function logOf(key: string): Log {
    const seen = logs.get(key)
    if (seen !== undefined) return seen
    const log: Log = { passed: [], refusals: 0, ignoredAt: Number.NEGATIVE_INFINITY }
    logs.set(key, log)
    return log
  }

  function forgetOld(log: Log, now: number, windowMs: number): void {
    // After the clock was set back, times in the future count as little as old ones.
    const isRecent = (time: number) => time <= now && now - time < windowMs
    const { passed } = log
    const [first = now] = passed
    if (isRecent(first) && isRecent(passed.at(-1) ?? now)) return
    log.passed = passed.filter(isRecent)
    times += log.passed.length - passed.length
  }

  function undoCount(log: Log, time: number): void {
    const at = log.passed.lastIndexOf(time)
    if (at < 0) return
    log.passed.splice(at, 1)
    times -= 1
  }

  /** 0, or the whole seconds until the oldest of the latest `limit` times is out of the window. */
  function waitIn(log: Log, now: number, { limit, windowSeconds }: ThrottleRule): number {
    const windowMs = windowSeconds * 1000
    forgetOld(log, now, windowMs)
    const blocking = log.passed[log.passed.length - limit]
    return blocking === undefined ? 0 : Math.ceil((blocking + windowMs - now) / 1000)
  }

  return {
    waitSeconds(scope, who, rule) {
      const log = logs.get(keyOf(scope, who))
      return log === undefined ? 0 : waitIn(log, clock(), rule)
    },
    judge(scope, who, rule) {
      const now = clock()
      const log = logOf(keyOf(scope, who))
      const waitSeconds = waitIn(log, now, rule)
      if (waitSeconds === 0) {
        log.passed.push(now)
        log.refusals = 0
        times += 1
        // A high limit makes long logs: then fewer shoppers are kept.
        if (times > maxTimes) logs.evict(logs.size / 2)
        return { kind: 'passed', undoCount: () => undoCount(log, now) }
      }
      return { kind: 'too-fast', waitSeconds, ignoresRetryAfter: countRefusal(log, now, rule) }
    },
  }
}

// Neither shopper ids nor sale ids hold a space, so two pairs of scope and shopper never share a key.
const keyOf = (scope: ThrottleScope, who: string) => `${scope} ${who}`

/** True when this refusal reports that the shopper ignores `Retry-After`. */
function countRefusal(log: Log, now: number, { windowSeconds }: ThrottleRule): boolean {
  log.refusals += 1
  const mayReport = now < log.ignoredAt || now - log.ignoredAt >= windowSeconds * 1000
  const ignoresRetryAfter = log.refusals >= maxRefusals && mayReport
  if (ignoresRetryAfter) log.ignoredAt = now
  return ignoresRetryAfter
}
