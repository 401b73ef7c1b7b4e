/**
 * The cap of a sale is split into parts, each with its own units. Concurrent writers use different parts to avoid write
 * conflicts, and units move between parts when one has too few.
 */
export const capPartCount = 32
export const firstCapPart = 0

/** Two full batches of orders. With fewer, units would be moved more often than sold. */
export const unitsPerCapPart = 100

/** Units by part. */
export type CapUnits = ReadonlyMap<number, number>

const allParts = Array.from({ length: capPartCount }, (_, part) => part)

/** Returns the parts of a new cap, each with at least `unitsPerPart` of the stock; all parts for an unlimited one. */
export function initialParts(stock: number, unitsPerPart: number): CapUnits {
  return stock === -1 ? new Map(allParts.map((part) => [part, -1])) : distribute(stock, allParts, unitsPerPart)
}

/**
 * Returns the units that a change of the stock by `delta` adds to or takes from each part. Many new units go to empty
 * parts, few to the first part. Undefined when all parts together have too few.
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

/** Distributes units evenly over parts, at least `unitsPerPart` to each; over at least one part. */
function distribute(units: number, parts: readonly number[], unitsPerPart: number): CapUnits {
  const count = Math.min(parts.length, Math.max(1, Math.floor(units / unitsPerPart)))
  const share = Math.floor(units / count)
  const rest = units - share * count
  return new Map(parts.slice(0, count).map((part, index) => [part, share + (index < rest ? 1 : 0)]))
}
