/**
 * The ranks of a draw, by a seed that no one can know before the beacon, and who gets which unit at the draw and
 * whenever one comes back (docs/reference/draw.md, "Ranks", "Allocation"). The sale and every check of it run the same
 * steps.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { idOf, type RecordList, variantOf } from './list.ts'

const seedPrefix = /* @__PURE__ */ new TextEncoder().encode('sluice-draw-1')

export function seedOfDraw(...parts: readonly [rulesHash: Uint8Array, root: Uint8Array, randomness: Uint8Array]) {
  const hashed = sha256.create().update(seedPrefix)
  for (const part of parts) hashed.update(part)
  return hashed.digest()
}

/** The numbers of the standing entries of each variant by rank; `queues[0]` are those of variant 1. */
export type DrawQueues = readonly Uint32Array[]

/** `onProgress` gets the number of records scored. */
export function rankEntries(
  list: RecordList,
  variants: number,
  seed: Uint8Array,
  onProgress?: (done: number) => void,
): DrawQueues {
  const [high, low] = [new Uint32Array(list.count), new Uint32Array(list.count)]
  const message = new Uint8Array(seed.length + 32)
  message.set(seed)
  const standing: number[][] = Array.from({ length: variants }, () => [])
  for (let entry = 0; entry < list.count; entry += 1) {
    message.set(idOf(list, entry), seed.length)
    const hashed = sha256(message)
    const score = new DataView(hashed.buffer, hashed.byteOffset)
    high[entry] = score.getUint32(0)
    low[entry] = score.getUint32(4)
    // An entrant who left has no queue.
    standing[variantOf(list, entry) - 1]?.push(entry)
    if (entry % 65_536 === 0) onProgress?.(entry)
  }
  const byScore = (a: number, b: number) => (high[a] ?? 0) - (high[b] ?? 0) || (low[a] ?? 0) - (low[b] ?? 0) || a - b
  return standing.map((entries) => Uint32Array.from(entries).sort(byScore))
}

export type Allocation = {
  /** The entries that hold a unit they were offered, or have given it back (false). In the order of offers. */
  readonly holds: ReadonlyMap<number, boolean>
  /** How many entries of each variant were ever offered a unit: the first ones of its queue. */
  offered(): number[]
  /** The entry gives its unit back: the entries that are offered it, one or none; undefined if it holds none. */
  giveBack(entry: number): number[] | undefined
}

/** Allocates `units` by variant, in the order of the rules. */
export function allocate(list: RecordList, queues: DrawQueues, units: readonly number[]): Allocation {
  const offered = queues.map((queue, n) => Math.min(queue.length, units[n] ?? 0))
  const holds = new Map(queues.flatMap((queue, n) => [...queue.subarray(0, offered[n])].map((entry) => [entry, true])))
  return {
    holds,
    offered: () => [...offered],
    giveBack(entry) {
      if (holds.get(entry) !== true) return undefined
      holds.set(entry, false)
      const at = variantOf(list, entry) - 1
      const next = queues[at]?.[offered[at] ?? 0]
      if (next === undefined) return []
      offered[at] = (offered[at] ?? 0) + 1
      holds.set(next, true)
      return [next]
    },
  }
}
