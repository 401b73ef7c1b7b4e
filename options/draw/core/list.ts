/**
 * The list of a draw (options/draw/docs/reference.md, "The list", "Ranks", "Allocation"): one record of 34 bytes for each
 * entrant, by ascending id, and the root of the Merkle tree over the records (RFC 6962, 2.1). It ranks the entries by a seed
 * that nobody knows before the beacon, and allocates units at the draw and whenever one is returned. The sale and every check
 * run this code.
 */
import { sha256 } from '@noble/hashes/sha2.js'

export const recordBytes = 34
export const idBytes = 32
const hashBytes = 32

/** Limit of the records of a list: half a gibibyte. */
export const maxRecords = 2 ** 24

export type RecordList = { bytes: Uint8Array; count: number }

/** `change` counts the changes of the entry from 1; `variant` is a number from 1, or 0 once the entrant left. */
export type DrawRecord = { id: Uint8Array; change: number; variant: number }

export function recordOf({ id, change, variant }: DrawRecord): Uint8Array {
  const record = new Uint8Array(recordBytes)
  record.set(id)
  record[idBytes] = change
  record[idBytes + 1] = variant
  return record
}

/** Sorts these records into a list. */
export function listOf(records: readonly Uint8Array[]): RecordList {
  const sorted = [...records].sort((a, b) => compareIds(a, 0, b, 0))
  const bytes = new Uint8Array(recordBytes * sorted.length)
  sorted.forEach((record, n) => {
    bytes.set(record, n * recordBytes)
  })
  return { bytes, count: sorted.length }
}

export function recordAt({ bytes }: RecordList, record: number): Uint8Array {
  return bytes.subarray(record * recordBytes, (record + 1) * recordBytes)
}

export function idOf(list: RecordList, record: number): Uint8Array {
  return recordAt(list, record).subarray(0, idBytes)
}

export function changeNumberOf({ bytes }: RecordList, record: number): number {
  return bytes[record * recordBytes + idBytes] ?? 0
}

/** Returns the number of the variant, or 0 for an entrant who left. */
export function variantOf({ bytes }: RecordList, record: number): number {
  return bytes[record * recordBytes + idBytes + 1] ?? 0
}

/** True when the ids strictly ascend. */
export function isInOrder({ bytes, count }: RecordList): boolean {
  for (let record = 1; record < count; record += 1) {
    if (compareIds(bytes, record - 1, bytes, record) >= 0) return false
  }
  return true
}

/** Returns the number of the record with this id, in a sorted list. */
export function findRecord({ bytes, count }: RecordList, id: Uint8Array): number | undefined {
  let [from, end] = [0, count]
  while (from < end) {
    const middle = (from + end) >>> 1
    if (compareIds(bytes, middle, id, 0) < 0) from = middle + 1
    else end = middle
  }
  return from < count && compareIds(bytes, from, id, 0) === 0 ? from : undefined
}

/** Compares the ids of two records as unsigned bytes. */
function compareIds(one: Uint8Array, a: number, other: Uint8Array, b: number): number {
  let [at, otherAt] = [a * recordBytes, b * recordBytes]
  for (let left = idBytes; left > 0; left -= 1, at += 1, otherAt += 1) {
    const difference = (one[at] ?? 0) - (other[otherAt] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Returns the root of the tree over the records; `onProgress` gets the number of hashed records. */
export function rootOf({ bytes, count }: RecordList, onProgress?: (done: number) => void): Uint8Array {
  if (count === 0) return sha256(new Uint8Array())
  const level = new Uint8Array(count * hashBytes)
  const leaf = new Uint8Array(1 + recordBytes)
  for (let n = 0; n < count; n += 1) {
    leaf.set(bytes.subarray(n * recordBytes, (n + 1) * recordBytes), 1)
    level.set(sha256(leaf), n * hashBytes)
    if (n % 65_536 === 0) onProgress?.(n)
  }
  const node = new Uint8Array(1 + 2 * hashBytes).fill(1, 0, 1)
  for (let left = count; left > 1; left = Math.ceil(left / 2)) {
    const pairs = left >>> 1
    for (let n = 0; n < pairs; n += 1) {
      node.set(level.subarray(2 * n * hashBytes, 2 * (n + 1) * hashBytes), 1)
      level.set(sha256(node), n * hashBytes)
    }
    // A hash without a sibling moves up unchanged.
    if (left % 2 === 1) level.copyWithin(pairs * hashBytes, (left - 1) * hashBytes, left * hashBytes)
  }
  return level.slice(0, hashBytes)
}

const seedPrefix = /* @__PURE__ */ new TextEncoder().encode('sluice-draw-1')

export function seedOfDraw(...parts: readonly [rulesHash: Uint8Array, root: Uint8Array, randomness: Uint8Array]) {
  const hashed = sha256.create().update(seedPrefix)
  for (const part of parts) hashed.update(part)
  return hashed.digest()
}

/** The numbers of the entries of each variant, by rank, without entrants who left; `queues[0]` is for variant 1. */
export type DrawQueues = readonly Uint32Array[]

/** Ranks the entries of each variant; `onProgress` gets the number of scored records. */
export function rankEntries(
  list: RecordList,
  variants: number,
  seed: Uint8Array,
  onProgress?: (done: number) => void,
): DrawQueues {
  const [high, low] = [new Uint32Array(list.count), new Uint32Array(list.count)]
  const message = new Uint8Array(seed.length + 32)
  message.set(seed)
  const entered: number[][] = Array.from({ length: variants }, () => [])
  for (let entry = 0; entry < list.count; entry += 1) {
    message.set(idOf(list, entry), seed.length)
    const hashed = sha256(message)
    const score = new DataView(hashed.buffer, hashed.byteOffset)
    high[entry] = score.getUint32(0)
    low[entry] = score.getUint32(4)
    // An entrant who left has no queue.
    entered[variantOf(list, entry) - 1]?.push(entry)
    if (entry % 65_536 === 0) onProgress?.(entry)
  }
  const byScore = (a: number, b: number) => (high[a] ?? 0) - (high[b] ?? 0) || (low[a] ?? 0) - (low[b] ?? 0) || a - b
  return entered.map((entries) => Uint32Array.from(entries).sort(byScore))
}

export type Allocation = {
  /** All entries that were offered a unit, in the order of offers: true while they hold it, false once it was returned. */
  readonly holds: ReadonlyMap<number, boolean>
  /** Returns how many entries of each variant were ever offered a unit: the first ones of its queue. */
  offered(): number[]
  /** Returns the unit of the entry and offers it to the next one. Returns that entry, if any; undefined if the entry holds no unit. */
  release(entry: number): number[] | undefined
}

/** Allocates `units` by variant, in the order of the rules. */
export function allocate(list: RecordList, queues: DrawQueues, units: readonly number[]): Allocation {
  const offered = queues.map((queue, n) => Math.min(queue.length, units[n] ?? 0))
  const holds = new Map(queues.flatMap((queue, n) => [...queue.subarray(0, offered[n])].map((entry) => [entry, true])))
  return {
    holds,
    offered: () => [...offered],
    release(entry) {
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
