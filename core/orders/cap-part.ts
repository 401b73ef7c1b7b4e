/**
 * The cap of a sale is in parts, each with units of its own. Writers that would meet at one part
 * use different ones, and units move from one part to another when a part has too few.
 */
export const capPartCount = 32
export const firstCapPart = 0

/** Two full batches of orders: less would be moved more often than it is sold from. */
export const unitsPerCapPart = 100

/** Units by part. */
export type CapUnits = ReadonlyMap<number, number>

const allParts = Array.from({ length: capPartCount }, (_, part) => part)

/** Returns the parts of a new cap: as many as get `unitsPerPart` of the stock, all for an unlimited one. */
export function initialParts(stock: number, unitsPerPart: number): CapUnits {
  return stock === -1 ? new Map(allParts.map((part) => [part, -1])) : distribute(stock, allParts, unitsPerPart)
}

/**
 * The units that a change of the stock by `delta` adds to each part, or takes away. Many new units go to parts without
 * any, which writers have left, few to the first. Undefined when all parts together have too few.
 */
export function changeParts(units: readonly number[], delta: number, unitsPerPart: number): CapUnits | undefined {
  if (delta < 0) return takeUnits(units, -delta)
  const empty = [...units.keys()].filter((part) => units[part] === 0)
  return distribute(delta, delta < 2 * unitsPerPart || empty.length === 0 ? [firstCapPart] : empty, unitsPerPart)
}

/** Takes `wanted` units from the fullest parts. Undefined when all together have too few. */
export function takeUnits(units: readonly number[], wanted: number): CapUnits | undefined {
  const taken = new Map<number, number>()
  let missing = wanted
  for (const [part, left] of [...units.entries()].sort(([, a], [, b]) => b - a)) {
    const some = Math.min(left, missing)
    if (some > 0) taken.set(part, -some)
    missing -= some
  }
  return missing > 0 ? undefined : taken
}

/** Evenly over as many of the parts as get `unitsPerPart`, and over one in any case. */
function distribute(units: number, parts: readonly number[], unitsPerPart: number): CapUnits {
  const count = Math.min(parts.length, Math.max(1, Math.floor(units / unitsPerPart)))
  const share = Math.floor(units / count)
  const rest = units - share * count
  return new Map(parts.slice(0, count).map((part, index) => [part, share + (index < rest ? 1 : 0)]))
}
