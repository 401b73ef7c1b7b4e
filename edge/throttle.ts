/**
 * How often one shopper may come through, counted in this instance's memory (R2). It is approximate: a shopper
 * served by two instances may get twice the share, and a new instance knows of nobody. Nothing counts exactly yet;
 * what one shopper may own is exact all the same, for that is the stock's own limit (I3).
 *
 * It keeps the times of the admitted requests themselves: in any window of the given length at most `limit`
 * pass, with no burst at a window's edge. Refused requests are not counted, so waiting as told always helps.
 */
import { LRUCache } from 'lru-cache'
import type { SaleId, ShopperId } from '../core/ids.ts'

export type ThrottleRule = { limit: number; windowSeconds: number }

/** What is counted together: purchases in one sale, or a shopper's changes to orders of all sales. */
export type ThrottleScope = SaleId | 'order changes'

export type Throttle = {
  /** 0 when the request may pass (and is counted), else the whole seconds until the next one may. */
  waitSeconds(scope: ThrottleScope, shopperId: ShopperId, rule: ThrottleRule): number
}

/** Bounds on memory: shoppers remembered, and times remembered over all of them (8 bytes each). */
const maxShoppers = 50_000
const maxTimes = 1_000_000

/** `clock` gives epoch ms. */
export function createThrottle(clock: () => number): Throttle {
  const admitted = new LRUCache<string, number[]>({
    max: maxShoppers,
    maxSize: maxTimes,
    sizeCalculation: (times) => Math.max(1, times.length),
  })

  return {
    waitSeconds(scope, shopperId, { limit, windowSeconds }) {
      const now = clock()
      // A shopper id holds no space, so two pairs can never share a key; nor does a sale id, so no sale is `order changes`.
      const key = `${scope} ${shopperId}`
      const windowMs = windowSeconds * 1000
      const recent = (admitted.get(key) ?? []).filter((time) => time <= now && now - time < windowMs)
      const blocking = recent[recent.length - limit]
      if (blocking !== undefined) return Math.ceil((blocking + windowMs - now) / 1000)
      recent.push(now)
      admitted.set(key, recent)
      return 0
    },
  }
}
