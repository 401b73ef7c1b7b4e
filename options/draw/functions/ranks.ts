/**
 * The ranks of a draw beside its public files, in rows by ascending id, so that an answer to one entrant reads a few
 * kilobytes. They follow from those files, and no reader needs them. A row is the id, the rank among entries of the
 * same variant, and change and variant of the record that was drawn.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { DrawQueues } from '../core/allocation.ts'
import { idBytes, idOf, type RecordList, recordAt } from '../core/list.ts'
import type { DrawFiles } from './draw-of-sale.ts'

const rowBytes = idBytes + 6

/** Rows in a file, about: 150 kB. */
const rowsInFile = 4096

const fileOf = (id: string, digits: number) => `ranks/${id.slice(0, digits) || 'all'}.bin`

/** Writes them, and resolves with how many digits of an id name its file. Safe to repeat. */
export async function writeRanks({ write }: Pick<DrawFiles, 'write'>, list: RecordList, queues: DrawQueues) {
  const digits = list.count <= rowsInFile ? 0 : list.count <= 16 * rowsInFile ? 1 : 2
  const rankOf = new Uint32Array(list.count)
  for (const queue of queues) {
    queue.forEach((entry, rank) => {
      rankOf[entry] = rank + 1
    })
  }
  const pathOf = (entry: number) => fileOf(bytesToHex(idOf(list, entry).subarray(0, 1)), digits)
  for (let from = 0, to = 1; from < list.count; from = to, to += 1) {
    const path = pathOf(from)
    while (to < list.count && pathOf(to) === path) to += 1
    const rows = Buffer.alloc((to - from) * rowBytes)
    for (let entry = from; entry < to; entry += 1) {
      const at = (entry - from) * rowBytes
      rows.set(idOf(list, entry), at)
      rows.writeUInt32BE(rankOf[entry] ?? 0, at + idBytes)
      rows.set(recordAt(list, entry).subarray(idBytes), at + idBytes + 4)
    }
    await write(path, rows)
  }
  return digits
}

/** The rank of the entrant with this id (hexadecimal), 0 for one who left, and the record that was drawn; undefined for others. */
export async function findRank(
  { read }: Pick<DrawFiles, 'read'>,
  digits: number,
  id: string,
): Promise<{ rank: number; change: number; variant: number } | undefined> {
  const rows = Buffer.from((await read(fileOf(id, digits))) ?? new Uint8Array())
  const wanted = hexToBytes(id)
  for (let at = 0; at < rows.length; at += rowBytes) {
    if (rows.compare(wanted, 0, idBytes, at, at + idBytes) !== 0) continue
    const [change = 0, variant = 0] = rows.subarray(at + idBytes + 4)
    return { rank: rows.readUInt32BE(at + idBytes), change, variant }
  }
  return undefined
}
