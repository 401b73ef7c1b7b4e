/**
 * Rows by ascending id beside the public files of a draw, so that an answer to one entrant reads a few kilobytes. What they
 * say follows from those files, and no reader needs them. A row is the id and some bytes of its `kind`.
 */
import { bytesOfHex, hexOf } from '../../../core/draw/bytes.ts'
import { idBytes, idOf, type RecordList } from '../../../core/draw/record.ts'
import type { DrawFiles } from './keep-draw.ts'

/** The bytes of a row behind the id. */
const bytesOfKind = { ranks: 12, tries: 1 } as const
type RowKind = keyof typeof bytesOfKind

/** Rows in a file, about: 180 kB of ranks. */
const rowsInFile = 4096

const fileOf = (kind: RowKind, id: string, digits: number) => `${kind}/${id.slice(0, digits) || 'all'}.bin`

/**
 * Writes a row for each of `entries`, the numbers of records by ascending id, and resolves with how many digits of an id
 * name its file. Safe to repeat.
 */
export async function writeRows(
  files: Pick<DrawFiles, 'write'>,
  kind: RowKind,
  { list, entries }: { list: RecordList; entries: Uint32Array },
  rowOf: (entry: number, place: number) => Uint8Array,
): Promise<number> {
  const digits = entries.length <= rowsInFile ? 0 : entries.length <= 16 * rowsInFile ? 1 : 2
  const pathOf = (place: number) => fileOf(kind, hexOf(idOf(list, entries[place] ?? 0).subarray(0, 1)), digits)
  for (let from = 0, to = 1; from < entries.length; from = to, to += 1) {
    const path = pathOf(from)
    while (to < entries.length && pathOf(to) === path) to += 1
    const rows = entries.subarray(from, to)
    const parts = [...rows].flatMap((entry, n) => [idOf(list, entry), rowOf(entry, from + n)])
    await files.write(path, Buffer.concat(parts))
  }
  return digits
}

/** The bytes behind the id (hexadecimal) in its row; undefined for an id without one. */
export async function findRow(
  files: Pick<DrawFiles, 'read'>,
  kind: RowKind,
  digits: number,
  id: string,
): Promise<Buffer | undefined> {
  const rowBytes = idBytes + bytesOfKind[kind]
  const bytes = Buffer.from((await files.read(fileOf(kind, id, digits))) ?? new Uint8Array())
  const wanted = bytesOfHex(id)
  let [from, end] = [0, bytes.length / rowBytes]
  while (from < end) {
    const middle = (from + end) >>> 1
    if (bytes.compare(wanted, 0, idBytes, middle * rowBytes, middle * rowBytes + idBytes) < 0) from = middle + 1
    else end = middle
  }
  const row = bytes.subarray(from * rowBytes, (from + 1) * rowBytes)
  const isOfId = row.length === rowBytes && Buffer.compare(row.subarray(0, idBytes), wanted) === 0
  return isOfId ? row.subarray(idBytes) : undefined
}
