/** The tries of entrants who lost the last draws of a series (docs/reference/draw.md, "Extra tries"). */
import { compareKeys } from './bytes.ts'
import { idsOf, type SortedRecords } from './record.ts'

/** The entrants of an earlier draw: the standing entries by id, and which of them were offered a unit. */
export type EarlierOutcome = { records: SortedRecords; wasOffered: (entry: number) => boolean }

/**
 * The tries that each record must have, at its place in `records.all`; those of records of leaving count for nothing.
 * Earlier draws are given oldest first.
 */
export function triesAfter(
  { list, all }: SortedRecords,
  earlier: readonly EarlierOutcome[],
  mostTries: number,
): Uint8Array {
  const losses = new Uint8Array(all.length)
  const ids = idsOf(list)
  for (const { records, wasOffered } of earlier) {
    const others = idsOf(records.list)
    let at = 0
    all.forEach((record, place) => {
      const differenceAt = () => {
        const entry = records.standing[at]
        return entry === undefined ? 1 : compareKeys(others, entry, ids, record)
      }
      while (differenceAt() < 0) at += 1
      if (differenceAt() !== 0) return
      losses[place] = wasOffered(records.standing[at] ?? 0) ? 0 : (losses[place] ?? 0) + 1
    })
  }
  return losses.map((lost) => Math.min(mostTries, 1 + lost))
}
