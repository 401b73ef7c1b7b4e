/** A stock that is dealt out once: no shard ever gets units from another (S15). */

/** How likely each shard is a shopper's home; the shares add up to 1. */
export type HomeShares = readonly number[]

/** Equal parts of a stock; the first shards get the rest, one unit each. */
function dealt(stock: number, shardCount: number): number[] {
  const share = Math.floor(stock / shardCount)
  return Array.from({ length: shardCount }, (_, shard) => share + (shard < stock % shardCount ? 1 : 0))
}

/**
 * The chance that a shopper reads "sold out" while units are left, with at least `stock` requests
 * for one unit each. It does not happen only if the first `stock` requests fall on the shards
 * exactly as the units do: S! / Π cᵢ! · Π pᵢ^cᵢ (the multinomial distribution).
 */
export function chanceOfFalseEnd(stock: number, homes: HomeShares): number {
  const units = dealt(stock, homes.length)
  const logOfExact = homes.reduce(
    (sum, share, shard) => sum + (units[shard] ?? 0) * Math.log(share) - logFactorial(units[shard] ?? 0),
    logFactorial(stock),
  )
  return -Math.expm1(logOfExact)
}

/** How many units are left when a shopper first reads "sold out". */
export function leftAtFirstEnd(stock: number, homes: HomeShares, random: () => number): number {
  const units = dealt(stock, homes.length)
  for (let left = stock; ; left -= 1) {
    const home = drawHome(homes, random)
    const own = units[home] ?? 0
    if (own === 0) return left
    units[home] = own - 1
  }
}

export function drawHome(homes: HomeShares, random: () => number): number {
  let rest = random()
  for (const [shard, share] of homes.entries()) {
    rest -= share
    if (rest < 0) return shard
  }
  return homes.length - 1
}

function logFactorial(n: number): number {
  let sum = 0
  for (let factor = 2; factor <= n; factor += 1) sum += Math.log(factor)
  return sum
}
