/** A round of requests, the same for every way of deducting, and what may be wrong with its end. */

/** 0 to this many units per request (S13). */
const mostUnits = 5

/**
 * `units`: 0 to 5 units each. `one`: one unit each. `twice`: one unit, and every shopper asks twice
 * at once and may have one. `plenty`: 0 to 5 units each, and a stock for all of them.
 */
export type Demand = 'units' | 'one' | 'twice' | 'plenty'

/**
 * Shopper `shoppers[i]` asks for `quantities[i]` units. `sells` are the units that must be sold: the whole stock,
 * which is half of what is wanted, unless there is plenty.
 */
export type DrawnRound = { stock: number; sells: number; shoppers: Uint32Array; quantities: Uint8Array }

/** `won[i]` is 1 where the caller was given the units; `left` is the stock's own count afterwards. */
export type Played = { won: Uint8Array; left: number; wallMs: number }

/**
 * What is wrong, in units: sold beyond what must be sold, not sold although wanted, sold to shoppers who had
 * one already, and by how much the stock's own count differs from the stock less the units sold.
 */
export type Faults = { oversold: number; unsold: number; twice: number; miscounted: number }

/** `random` gives numbers in [0, 1). */
export function drawRound(demand: Demand, requests: number, random: () => number): DrawnRound {
  const quantities = Uint8Array.from({ length: requests }, () =>
    demand === 'units' || demand === 'plenty' ? Math.floor(random() * (mostUnits + 1)) : 1,
  )
  const shoppers = Uint32Array.from({ length: requests }, (_, at) => (demand === 'twice' ? at >> 1 : at))
  const wanted = sum(quantities) / (demand === 'twice' ? 2 : 1)
  if (demand === 'plenty') return { stock: requests * mostUnits, sells: wanted, shoppers, quantities }
  const stock = Math.floor(wanted / 2)
  return { stock, sells: stock, shoppers, quantities }
}

export function faultsOf({ stock, sells, shoppers, quantities }: DrawnRound, { won, left }: Played): Faults {
  const winners = [...won.keys()].filter((at) => won[at] === 1)
  const sold = winners.reduce((units, at) => units + (quantities[at] ?? 0), 0)
  return {
    oversold: Math.max(0, sold - sells),
    unsold: Math.max(0, sells - sold),
    twice: winners.length - new Set(winners.map((at) => shoppers[at])).size,
    miscounted: left - (stock - sold),
  }
}

/** The number of units that are wrong in any way. */
export function wrongUnits({ oversold, unsold, twice, miscounted }: Faults): number {
  return oversold + unsold + twice + Math.abs(miscounted)
}

/** `12 oversold, stock 3 too high`; empty for none. */
export function faultText({ oversold, unsold, twice, miscounted }: Faults): string {
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
