/** Draws a round of requests, the same for every way of deducting, and counts the faults in its result. */

/** 0 to this many units per request (S13). */
const maxUnits = 5

/**
 * `units`: 0 to 5 units each. `one`: one unit each. `twice`: every shopper requests one unit twice at once and may have
 * one. `plenty`: 0 to 5 units each, and the stock is large enough for all.
 */
export type RequestPattern = 'units' | 'one' | 'twice' | 'plenty'

/**
 * Shopper `shoppers[i]` requests `quantities[i]` units. `sells` units must be sold: the whole stock, which is half of
 * the requested units, except in `plenty`.
 */
export type DrawnRound = { stock: number; sells: number; shoppers: Uint32Array; quantities: Uint8Array }

/** `won[i]` is 1 when request `i` got its units; `left` is the count in the stock afterwards. */
export type PlayedRound = { won: Uint8Array; left: number; wallMs: number }

/**
 * Faults in units: sold beyond `sells`, missing from `sells`, sold to shoppers who had one already, and the difference
 * between the count in the stock and the stock less the units sold.
 */
export type RoundFaults = { oversold: number; unsold: number; twice: number; miscounted: number }

/** Draws a round; `random` returns numbers in [0, 1). */
export function drawRound(demand: RequestPattern, requests: number, random: () => number): DrawnRound {
  const quantities = Uint8Array.from({ length: requests }, () =>
    demand === 'units' || demand === 'plenty' ? Math.floor(random() * (maxUnits + 1)) : 1,
  )
  const shoppers = Uint32Array.from({ length: requests }, (_, at) => (demand === 'twice' ? at >> 1 : at))
  const wanted = sum(quantities) / (demand === 'twice' ? 2 : 1)
  if (demand === 'plenty') return { stock: requests * maxUnits, sells: wanted, shoppers, quantities }
  const stock = Math.floor(wanted / 2)
  return { stock, sells: stock, shoppers, quantities }
}

export function roundFaults(
  { stock, sells, shoppers, quantities }: DrawnRound,
  { won, left }: PlayedRound,
): RoundFaults {
  const winners = [...won.keys()].filter((at) => won[at] === 1)
  const sold = winners.reduce((units, at) => units + (quantities[at] ?? 0), 0)
  return {
    oversold: Math.max(0, sold - sells),
    unsold: Math.max(0, sells - sold),
    twice: winners.length - new Set(winners.map((at) => shoppers[at])).size,
    miscounted: left - (stock - sold),
  }
}

/** Returns the sum of all faults in units. */
export function wrongUnits({ oversold, unsold, twice, miscounted }: RoundFaults): number {
  return oversold + unsold + twice + Math.abs(miscounted)
}

/** Returns a text such as `12 oversold, stock 3 too high`; empty when there are no faults. */
export function faultText({ oversold, unsold, twice, miscounted }: RoundFaults): string {
  const parts: string[] = []
  if (oversold > 0) parts.push(`${oversold} oversold`)
  if (twice > 0) parts.push(`${twice} sold to the same shopper again`)
  if (unsold > 0) parts.push(`${unsold} unsold`)
  if (miscounted !== 0) parts.push(`stock ${Math.abs(miscounted)} too ${miscounted > 0 ? 'high' : 'low'}`)
  return parts.join(', ')
}

function sum(values: Uint8Array): number {
  return values.reduce((total, value) => total + value, 0)
}
