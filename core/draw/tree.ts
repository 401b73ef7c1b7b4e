/**
 * The Merkle tree over the list of a draw (RFC 6962, 2.1), in tiles of 4,096 records. Adding records changes no full
 * tile, so a head costs the hashes of the new records alone, and the memory of one tile.
 */
import { recordBytes } from './record.ts'
import { hashBehind, hashBytes, sha256 } from './sha256.ts'

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
  for (let n = 0; n < count; n += 1) hashBehind(leafPrefix, [records, n * recordBytes], [hashes, n * hashBytes])
  return hashes
}

/** The root of the tree over hashes of 32 bytes: leaf hashes, or the roots of tiles. */
export function rootOfHashes(hashes: Uint8Array): Uint8Array {
  let count = hashes.length / hashBytes
  if (count === 0) return sha256()
  // A copy in any case: `slice` of a Buffer shares its memory.
  const level = new Uint8Array(hashes)
  while (count > 1) count = foldLevel(level, count)
  return level.slice(0, hashBytes)
}

/** Replaces a level of the tree by the one above it; a hash without a neighbour moves up as it is. */
function foldLevel(level: Uint8Array, count: number): number {
  const pairs = count >>> 1
  for (let n = 0; n < pairs; n += 1) hashBehind(nodePrefix, [level, 2 * n * hashBytes], [level, n * hashBytes])
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
