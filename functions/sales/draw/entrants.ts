/** The records that entrants ask for, under ids that only the shop can connect with its shoppers. */
import { createHmac } from 'node:crypto'
import { largestParty, partiesOf } from '../../../core/draw/ranking.ts'
import {
  entryRecord,
  groupBytes,
  leftRecord,
  type RecordList,
  recordAt,
  recordBytes,
  recordsWithId,
  type SortedRecords,
  sortRecords,
  triesOf,
} from '../../../core/draw/record.ts'
import type { DrawRules } from '../../../core/draw/rules.ts'
import type { ShopperId } from '../../../core/ids.ts'

/** `choices` are the numbers of variants, from 1, the preferred one first. Members of a group give the same name of it. */
export type Entrant = { shopperId: ShopperId; choices: readonly number[]; group?: string }

/** The id of a shopper in all draws of a series, which share `key`. */
export function entrantId(key: Uint8Array, shopperId: ShopperId): Uint8Array {
  return createHmac('sha256', key).update(shopperId).digest()
}

/** No shopper id has a space, so a group has the bytes of no entrant. */
export function groupNamed(key: Uint8Array, name: string): Uint8Array {
  return createHmac('sha256', key).update(`group ${name}`).digest().subarray(0, groupBytes)
}

type Drawing = { key: Uint8Array; rules: DrawRules; list: RecordList }

/** The records that make `entrants` stand as they want to; those who stand so already need none. */
export function recordsOfEntering(drawing: Drawing, entrants: readonly Entrant[]): Uint8Array[] {
  const { key, list } = drawing
  const sorted = sortRecords(list)
  return entrants.flatMap(({ shopperId, choices, group }) => {
    const id = entrantId(key, shopperId)
    const record = entryRecord({
      ...{ id, choices, tries: 1 },
      ...(group !== undefined && { group: groupNamed(key, group) }),
    })
    const standing = standingRecord(sorted, id)
    const isUnchanged = standing !== undefined && Buffer.compare(recordAt(list, standing), record) === 0
    return isUnchanged ? [] : [record]
  })
}

/** The records with which `shoppers` leave; those who do not stand need none. */
export function recordsOfLeaving(
  { key, list }: Pick<Drawing, 'key' | 'list'>,
  shoppers: readonly ShopperId[],
): Uint8Array[] {
  const sorted = sortRecords(list)
  return shoppers.flatMap((shopperId) => {
    const id = entrantId(key, shopperId)
    return standingRecord(sorted, id) === undefined ? [] : [leftRecord(id)]
  })
}

/** The number of the record by which an entrant stands. */
export function standingRecord(records: SortedRecords, id: Uint8Array): number | undefined {
  const last = recordsWithId(records, id).at(-1)
  return last !== undefined && triesOf(records.list, last) > 0 ? last : undefined
}

/** Whether a group has more standing entries than the rules allow, once `records` are added to the list. */
export function isTooLarge({ rules, list }: Pick<Drawing, 'rules' | 'list'>, records: readonly Uint8Array[]): boolean {
  const bytes = Buffer.concat([list.bytes, ...records])
  const parties = partiesOf(sortRecords({ bytes, count: bytes.length / recordBytes }))
  return largestParty(parties) > rules.mostInGroup
}
