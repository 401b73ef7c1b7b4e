/**
 * How often one shopper may come through, counted in this instance's memory (R2). It is approximate: a shopper
 * served by two instances may get twice the share, and a new instance knows of nobody. Exact is the window inside
 * reserve.lua; this one keeps the load from it.
 *
 * It keeps the times of the admitted requests themselves: in any window of the given length at most `limit`
 * pass, with no burst at a window's edge. Refused requests are not counted, so waiting as told always helps.
 */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../core/ids.ts'
import type { ThrottleRule } from '../core/sale.ts'

/** What is counted together: purchases in one sale, challenges of it, purchases before its start, or changes and reads of all orders. */
export type ThrottleScope =
  | SaleId
  | `challenge of ${SaleId}`
  | `early for ${SaleId}`
  | 'order changes'
  | 'order reads'

/**
 * `takeBack` undoes the count of a request that passed and was sent away all the same, for no fault of its own; to be called
 * once. `stubborn` is true once per shopper and window: when it was told to wait and came back twice too early.
 */
export type Pace =
  | { kind: 'passed'; takeBack(): void }
  | { kind: 'too-fast'; waitSeconds: number; stubborn: boolean }

export type Throttle = {
  /** Whether the request of `who` may pass, and then it is counted; else the whole seconds until the next one may. */
  judge(scope: ThrottleScope, who: string, rule: ThrottleRule): Pace
  /** The same without counting: 0 when one may pass now. */
  waitSeconds(scope: ThrottleScope, who: string, rule: ThrottleRule): number
}

/** `refusals` are those since the last request that passed; `accusedAt` is when the shopper was last called stubborn. */
type Log = { passed: number[]; refusals: number; accusedAt: number }

/** The first refusal tells when to come back; two more before that time are no accident. */
const refusalsOfStubborn = 3

/** At least so many shoppers are remembered, at most twice as many. */
const maxShoppers = 25_000
/** Times remembered over all of them, 8 bytes each. */
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
    const log: Log = { passed: [], refusals: 0, accusedAt: Number.NEGATIVE_INFINITY }
    logs.set(key, log)
    return log
  }

  function forgetOld(log: Log, now: number, windowMs: number): void {
    // Of a clock that was set back, the times that have not come are no better than old ones.
    const isRecent = (time: number) => time <= now && now - time < windowMs
    const { passed } = log
    const [first = now] = passed
    if (isRecent(first) && isRecent(passed.at(-1) ?? now)) return
    log.passed = passed.filter(isRecent)
    times += log.passed.length - passed.length
  }

  function takeBack(log: Log, time: number): void {
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

  // A shopper id holds no space, so two pairs can never share a key; nor does a sale id, so no sale is `order changes` or `order reads`.
  const keyOf = (scope: ThrottleScope, who: string) => `${scope} ${who}`

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
        // A high limit makes long logs: then fewer shoppers are remembered.
        if (times > maxTimes) logs.evict(logs.size / 2)
        return { kind: 'passed', takeBack: () => takeBack(log, now) }
      }
      log.refusals += 1
      const mayAccuse = now < log.accusedAt || now - log.accusedAt >= rule.windowSeconds * 1000
      const stubborn = log.refusals >= refusalsOfStubborn && mayAccuse
      if (stubborn) log.accusedAt = now
      return { kind: 'too-fast', waitSeconds, stubborn }
    },
  }
}
