/**
 * The Merkle tree over the list of a draw (RFC 6962, 2.1), in tiles of 4,096 records. Adding records changes no full
 * tile, so a head costs the hashes of the new records alone, and the memory of one tile.
 */
import { recordBytes } from './record.ts'
import { type BytesAt, hashBehind, hashBytes, sha256 } from './sha256.ts'

/** The records of a full tile: a power of two, so that its root is a node of the tree. */
export const tileRecords = 4096

const leafPrefix = 0
const nodePrefix = 1

export function leafHash(record: Uint8Array): Uint8Array {
  const hash = new Uint8Array(hashBytes)
  hashBehind(leafPrefix, [record, 0], [hash, 0])
  return hash
}

/** The leaf hashes of records, one behind the other. */
export function leafHashes(records: Uint8Array): Uint8Array {
  const count = records.length / recordBytes
  const hashes = new Uint8Array(count * hashBytes)
  for (let n = 0; n < count; n += 1)
    hashBehind(leafPrefix, [records, n * recordBytes], [hashes, n * hashBytes])
  return hashes
}

/** The root of the tree over hashes of 32 bytes: leaf hashes, or the roots of tiles. */
export function rootOfHashes(hashes: Uint8Array): Uint8Array {
  let count = hashes.length / hashBytes
  if (count === 0) return sha256()
  const level = copyOf(hashes)
  while (count > 1) count = foldLevel(level, count)
  return level.slice(0, hashBytes)
}

/** A copy in any case: `slice` of a Buffer shares its memory. */
const copyOf = (bytes: Uint8Array) => new Uint8Array(bytes)

/** Replaces a level of the tree by the one above it; a hash without a neighbour moves up as it is. */
function foldLevel(level: Uint8Array, count: number): number {
  const pairs = count >>> 1
  for (let n = 0; n < pairs; n += 1)
    hashBehind(nodePrefix, [level, 2 * n * hashBytes], [level, n * hashBytes])
  if (count % 2 === 0) return pairs
  level.copyWithin(pairs * hashBytes, (count - 1) * hashBytes, count * hashBytes)
  return pairs + 1
}

/** The root of a tile, or of any records. */
export function rootOfRecords(records: Uint8Array): Uint8Array {
  return rootOfHashes(leafHashes(records))
}

export type DrawTile = { number: number; records: Uint8Array; root: Uint8Array }

/**
 * The tiles that records behind the first `count` ones make: the last, partial tile with the new records, and those
 * behind it. `partial` are the records of that tile so far. Pieces of the new records may end anywhere.
 */
export async function* tilesFrom(
  count: number,
  partial: Uint8Array,
  records: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<DrawTile> {
  const tile = new Uint8Array(tileRecords * recordBytes)
  tile.set(partial)
  let [number, filled] = [Math.floor(count / tileRecords), partial.length]
  const whole = (): DrawTile => {
    const done = tile.slice(0, filled)
    return { number, records: done, root: rootOfRecords(done) }
  }
  for await (const piece of records) {
    for (let from = 0; from < piece.length; ) {
      const to = Math.min(piece.length, from + tile.length - filled)
      tile.set(piece.subarray(from, to), filled)
      filled += to - from
      from = to
      if (filled === tile.length) {
        yield whole()
        number += 1
        filled = 0
      }
    }
  }
  if (filled > 0) yield whole()
}

/** The inclusion proof of a hash in a tree (RFC 6962, 2.1.1). Within a tile first, then over the roots of tiles. */
export function inclusionProof(hashes: Uint8Array, index: number): Uint8Array[] {
  const proof: Uint8Array[] = []
  const level = copyOf(hashes)
  let [count, at] = [hashes.length / hashBytes, index]
  while (count > 1) {
    const sibling = at ^ 1
    if (sibling < count) proof.push(level.slice(sibling * hashBytes, (sibling + 1) * hashBytes))
    count = foldLevel(level, count)
    at >>>= 1
  }
  return proof
}

/** The root of a tree of `count` leaves that has this leaf hash at `index`, or undefined for a proof of another length. */
export function rootFromInclusion(
  leaf: Uint8Array,
  { index, count }: { index: number; count: number },
  proof: readonly Uint8Array[],
): Uint8Array | undefined {
  const rest = [...proof]
  let hash = leaf
  for (let [at, left] = [index, count]; left > 1; at >>>= 1, left = (left + 1) >>> 1) {
    if ((at ^ 1) >= left) continue
    const sibling = rest.shift()
    if (sibling === undefined) return undefined
    hash = at % 2 === 0 ? nodeHash(hash, sibling) : nodeHash(sibling, hash)
  }
  return rest.length === 0 && index < count ? hash : undefined
}

/** The proof that the first `count` leaves of a tree are those of an earlier one (RFC 6962, 2.1.2). */
export function consistencyProof(hashes: Uint8Array, count: number, isWhole = true): Uint8Array[] {
  const all = hashes.length / hashBytes
  if (count === all) return isWhole ? [] : [rootOfHashes(hashes)]
  const split = splitOf(all)
  const [left, right] = [hashes.subarray(0, split * hashBytes), hashes.subarray(split * hashBytes)]
  return count <= split
    ? [...consistencyProof(left, count, isWhole), rootOfHashes(right)]
    : [...consistencyProof(right, count - split, false), rootOfHashes(left)]
}

/**
 * The roots of the earlier and the later tree that follow from a consistency proof, 1 ≤ `earlier` ≤ `later`; undefined
 * for a proof of another length. Both must be the published ones.
 */
export function rootsFromConsistency(
  { earlier, later }: { earlier: number; later: number },
  earlierRoot: Uint8Array,
  proof: readonly Uint8Array[],
): readonly [earlier: Uint8Array, later: Uint8Array] | undefined {
  const rest = [...proof]
  const roots = (count: number, all: number, isWhole: boolean): [Uint8Array, Uint8Array] | undefined => {
    if (count === all) {
      const root = isWhole ? earlierRoot : rest.shift()
      return root && [root, root]
    }
    const split = splitOf(all)
    const isLeft = count <= split
    const inner = isLeft ? roots(count, split, isWhole) : roots(count - split, all - split, false)
    const other = rest.shift()
    if (inner === undefined || other === undefined) return undefined
    const [before, after] = inner
    return isLeft ? [before, nodeHash(after, other)] : [nodeHash(other, before), nodeHash(other, after)]
  }
  const found = roots(earlier, later, true)
  return rest.length === 0 ? found : undefined
}

/** The largest power of two below `count`. */
function splitOf(count: number): number {
  return 2 ** (31 - Math.clz32(count - 1))
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const pair = new Uint8Array(2 * hashBytes)
  pair.set(left)
  pair.set(right, hashBytes)
  const to: BytesAt = [new Uint8Array(hashBytes), 0]
  hashBehind(nodePrefix, [pair, 0], to)
  return to[0]
}
