/** How fast the shop may be called. */

/**
 * After a lost answer the shop may still be at work. PHP ends a request after 30 s, so by then its effect can be seen.
 */
export const settleMs = 30_000

/**
 * `now` is epoch ms.
 * @typedef {{ now: () => number, sleep: (milliseconds: number) => Promise<void> }} Clock
 */

/**
 * The bucket of points of Shopify's Admin API: each call takes its cost, and the points come back with time. Every answer
 * says what is in the bucket, so other programs of the same app are counted too.
 * https://shopify.dev/docs/api/usage/limits#the-leaky-bucket-algorithm
 * @param {Clock} clock
 */
export function createBucket(clock) {
  // Before the first answer only one call can be made: what an earlier process has used is not known.
  let known = false
  let available = 0
  let restoreRate = 100
  let most = 0
  let at = clock.now()
  let underWay = 0
  let queue = Promise.resolve()

  const refill = () => {
    const now = clock.now()
    available = Math.min(most, available + ((now - at) / 1000) * restoreRate)
    at = now
  }

  return {
    /** Waits until there are points for a call. Calls go in the order in which they asked. @param {number} cost */
    take(cost) {
      const turn = queue.then(async () => {
        for (refill(); known && available < cost; refill()) {
          await clock.sleep(Math.ceil(((cost - available) / restoreRate) * 1000))
        }
        available -= cost
        underWay += cost
      })
      queue = turn
      return turn
    },
    /**
     * What an answer says of the bucket. The calls under way may not be counted in it yet.
     * @param {number} cost of the call that was answered
     * @param {{ maximumAvailable: number, currentlyAvailable: number, restoreRate: number } | undefined} status
     */
    learn(cost, status) {
      underWay -= cost
      if (!status) return
      refill()
      ;({ restoreRate, maximumAvailable: most } = status)
      const left = status.currentlyAvailable - underWay
      available = known ? Math.min(available, left) : left
      known = true
    },
  }
}

/**
 * Runs at most `most` calls at once; the others wait in their order.
 * @param {number} most
 */
export function createLimit(most) {
  let running = 0
  /** @type {(() => void)[]} */
  const waiting = []
  /**
   * @template Value
   * @param {() => Promise<Value>} call
   */
  return async (call) => {
    if (running >= most) await /** @type {Promise<void>} */ (new Promise((resolve) => waiting.push(resolve)))
    else running += 1
    try {
      return await call()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/**
 * The wait that an answer asks for with `Retry-After`, seconds or a date, in milliseconds: a second at least.
 * @param {Headers} headers
 * @param {number} now
 */
export function retryAfterMs(headers, now) {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(milliseconds) ? Math.max(1000, milliseconds) : undefined
}
