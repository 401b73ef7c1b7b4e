/** The ranks of a draw beside its public files: for each entrant the rank of the party, from 1, and the first bytes of the leaf hash of the record. */
import { membersOf, type Ranking } from '../../../core/draw/ranking.ts'
import { recordAt, recordBytes } from '../../../core/draw/record.ts'
import { leafHash } from '../../../core/draw/tree.ts'
import { findRow, writeRows } from './id-rows.ts'
import type { DrawFiles } from './keep-draw.ts'

const leafBytes = 8

/** Writes them, and resolves with how many digits of an id name its file. `standing` are the entries by id. Safe to repeat. */
export function writeRanks(files: Pick<DrawFiles, 'write'>, ranking: Ranking, standing: Uint32Array): Promise<number> {
  const { list, byRank } = ranking
  const rankOf = new Uint32Array(list.count)
  byRank.forEach((party, rank) => {
    for (const member of membersOf(ranking, party)) rankOf[member] = rank + 1
  })
  return writeRows(files, 'ranks', { list, entries: standing }, (entry) => {
    const row = Buffer.alloc(4 + leafBytes)
    row.writeUInt32BE(rankOf[entry] ?? 0)
    row.set(leafHash(recordAt(list, entry)).subarray(0, leafBytes), 4)
    return row
  })
}

/** The rank of the entrant with this id (hexadecimal), and whether `record` is the one that was drawn; undefined for others. */
export async function findRank(
  files: Pick<DrawFiles, 'read'>,
  digits: number,
  id: string,
  record: Uint8Array,
): Promise<{ rank: number; isDrawn: boolean } | undefined> {
  const row = await findRow(files, 'ranks', digits, id)
  if (row === undefined) return undefined
  const leaf = record.length === recordBytes ? leafHash(record).subarray(0, leafBytes) : undefined
  return {
    rank: row.readUInt32BE(),
    isDrawn: leaf !== undefined && Buffer.compare(row.subarray(4), leaf) === 0,
  }
}
