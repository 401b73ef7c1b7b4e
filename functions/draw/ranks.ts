/**
 * The ranks of a draw beside its public files, so that an answer to one entrant reads a few kilobytes. They follow from
 * those files, and no reader needs them: rows of 44 bytes by ascending id, each the id, the rank of its party from 1, and
 * the first 8 bytes of the leaf hash of its record.
 */
import { bytesOfHex, hexOf } from '../../core/draw/bytes.ts'
import { membersOf, type Ranking } from '../../core/draw/ranking.ts'
import { idBytes, idOf, type RecordList, recordAt, recordBytes } from '../../core/draw/record.ts'
import { leafHash } from '../../core/draw/tree.ts'
import type { DrawFiles } from './keep-draw.ts'

const leafBytes = 8
const rowBytes = idBytes + 4 + leafBytes
/** Rows in a file, about: 180 kB. */
const rowsInFile = 4096

const fileOf = (id: string, digits: number) => `ranks/${id.slice(0, digits) || 'all'}.bin`

/** Writes them, and resolves with how many digits of an id name its file. `standing` are the entries by id. Safe to repeat. */
export async function writeRanks(
  files: Pick<DrawFiles, 'write'>,
  ranking: Ranking,
  standing: Uint32Array,
): Promise<number> {
  const { list, byRank } = ranking
  const rankOf = new Uint32Array(list.count)
  byRank.forEach((party, rank) => {
    for (const member of membersOf(ranking, party)) rankOf[member] = rank + 1
  })
  const digits = standing.length <= rowsInFile ? 0 : standing.length <= 16 * rowsInFile ? 1 : 2
  const pathOf = (place: number) => fileOf(hexOf(idOf(list, standing[place] ?? 0).subarray(0, 1)), digits)
  for (let from = 0, to = 1; from < standing.length; from = to, to += 1) {
    const path = pathOf(from)
    while (to < standing.length && pathOf(to) === path) to += 1
    await files.write(path, rowsOf(list, standing.subarray(from, to), rankOf))
  }
  return digits
}

function rowsOf(list: RecordList, entries: Uint32Array, rankOf: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(entries.length * rowBytes)
  const view = new DataView(bytes.buffer)
  entries.forEach((entry, place) => {
    const at = place * rowBytes
    bytes.set(idOf(list, entry), at)
    view.setUint32(at + idBytes, rankOf[entry] ?? 0)
    bytes.set(leafHash(recordAt(list, entry)).subarray(0, leafBytes), at + idBytes + 4)
  })
  return bytes
}

/** The rank of the entrant with this id (hexadecimal), and whether `record` is the one that was drawn; undefined for others. */
export async function findRank(
  files: Pick<DrawFiles, 'read'>,
  digits: number,
  id: string,
  record: Uint8Array,
): Promise<{ rank: number; isDrawn: boolean } | undefined> {
  const bytes = Buffer.from((await files.read(fileOf(id, digits))) ?? new Uint8Array())
  const wanted = bytesOfHex(id)
  let [from, end] = [0, bytes.length / rowBytes]
  while (from < end) {
    const middle = (from + end) >>> 1
    if (bytes.compare(wanted, 0, idBytes, middle * rowBytes, middle * rowBytes + idBytes) < 0)
      from = middle + 1
    else end = middle
  }
  const at = from * rowBytes
  const row = bytes.subarray(at, at + rowBytes)
  if (row.length < rowBytes || Buffer.compare(row.subarray(0, idBytes), wanted) !== 0) return undefined
  const leaf = record.length === recordBytes ? leafHash(record).subarray(0, leafBytes) : undefined
  return {
    rank: row.readUInt32BE(idBytes),
    isDrawn: leaf !== undefined && Buffer.compare(row.subarray(idBytes + 4), leaf) === 0,
  }
}
