/** The most messages that a split stock can need; `docs/guide/sharding.md` derives both bounds. */

/**
 * Grants from a pool of `units`: each takes at least one unit and at least 1/2N of the pool. Units
 * that return to the pool add at most the bound for as many.
 */
export function mostGrants(units: number, shardCount: number): number {
  const twice = 2 * shardCount
  return units <= twice ? units : twice * Math.log(units / twice) + twice
}

/** Lends of a sale without faults whose requests come one after another. */
export function mostLends(stock: number, shardCount: number, maxPerOrder: number): number {
  const tail = 8 * shardCount * maxPerOrder
  const whole = 4 * shardCount * Math.log(Math.max(1, stock / tail))
  return whole + tail + 2 * shardCount * maxPerOrder + 2 * shardCount + maxPerOrder
}
