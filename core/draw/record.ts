/** The records of the list of a draw (docs/reference/draw.md, "Records"): 64 bytes each. */
import { compareKeys, type Keys, maxChoices, numbersByKey } from './bytes.ts'
import type { DrawRules } from './rules.ts'

export const recordBytes = 64
export const idBytes = 32
export const groupBytes = 16

const groupAt = idBytes
const triesAt = groupAt + groupBytes
const choicesAt = triesAt + 1

/** The list of a draw: `count` records, one behind the other. */
export type RecordList = { bytes: Uint8Array; count: number }

/** An entry: variants by their numbers, from 1, the preferred one first. */
export type DrawEntry = { id: Uint8Array; group?: Uint8Array; tries: number; choices: readonly number[] }

/** The record of an entry, of valid parts (`isRecord`). */
export function entryRecord({ id, group, tries, choices }: DrawEntry): Uint8Array {
  const record = new Uint8Array(recordBytes)
  record.set(id)
  if (group !== undefined) record.set(group, groupAt)
  record[triesAt] = tries
  record.set(choices, choicesAt)
  return record
}

/** The record of an entrant who left. */
export function leftRecord(id: Uint8Array): Uint8Array {
  return entryRecord({ id, tries: 0, choices: [] })
}

export function triesOf({ bytes }: RecordList, record: number): number {
  return bytes[record * recordBytes + triesAt] ?? 0
}

export function idOf({ bytes }: RecordList, record: number): Uint8Array {
  return bytes.subarray(record * recordBytes, record * recordBytes + idBytes)
}

/** The group of an entry, or undefined for one that is alone. */
export function groupOf({ bytes }: RecordList, record: number): Uint8Array | undefined {
  const at = record * recordBytes + groupAt
  return isZero(bytes, at, at + groupBytes) ? undefined : bytes.subarray(at, at + groupBytes)
}

/** The variants that an entry wants, the preferred one first. */
export function choicesOf({ bytes }: RecordList, record: number): Uint8Array {
  const at = record * recordBytes + choicesAt
  let end = at
  while (end < at + maxChoices && bytes[end] !== 0) end += 1
  return bytes.subarray(at, end)
}

/** Whether the record with this number is as the rules allow. */
export function isRecord(list: RecordList, record: number, { mostTries, mostInGroup, variants }: DrawRules): boolean {
  const { bytes } = list
  const at = record * recordBytes
  const tries = triesOf(list, record)
  if (tries === 0) return isZero(bytes, at + groupAt, at + recordBytes)
  if (tries > mostTries) return false
  if (mostInGroup === 1 && groupOf(list, record) !== undefined) return false
  let seen = 0
  let end = at + choicesAt
  for (; end < at + recordBytes && bytes[end] !== 0; end += 1) {
    const choice = bytes[end] ?? 0
    if (choice > variants.length || (seen & (1 << choice)) !== 0) return false
    seen |= 1 << choice
  }
  return seen !== 0 && isZero(bytes, end, at + recordBytes)
}

function isZero(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at] !== 0) return false
  return true
}

export function recordAt({ bytes }: RecordList, record: number): Uint8Array {
  return bytes.subarray(record * recordBytes, (record + 1) * recordBytes)
}

export function idsOf({ bytes }: RecordList): Keys {
  return { bytes, stride: recordBytes, keyBytes: idBytes }
}

/** Whether the ids of the records `from` to `to` - 1 ascend, as those of a batch must. */
export function isInOrder(list: RecordList, from: number, to: number): boolean {
  const ids = idsOf(list)
  for (let record = from + 1; record < to; record += 1) {
    if (compareKeys(ids, record - 1, ids, record) > 0) return false
  }
  return true
}

/** All records by id, those of one id in their order, and the standing entries by id. */
export type SortedRecords = { list: RecordList; all: Uint32Array; standing: Uint32Array }

/** The last record of an id counts; it stands unless its entrant left. */
export function sortRecords(list: RecordList): SortedRecords {
  const ids = idsOf(list)
  const all = numbersByKey(ids, list.count)
  const standing = all.filter((record, place) => {
    const next = all[place + 1]
    const isLast = next === undefined || compareKeys(ids, record, ids, next) !== 0
    return isLast && triesOf(list, record) > 0
  })
  return { list, all, standing }
}

/** The numbers of the records with this id, in their order. */
export function recordsWithId({ list, all }: SortedRecords, id: Uint8Array): Uint32Array {
  const [ids, wanted] = [idsOf(list), { bytes: id, stride: 0, keyBytes: idBytes }]
  let [from, end] = [0, all.length]
  while (from < end) {
    const middle = (from + end) >>> 1
    if (compareKeys(ids, all[middle] ?? 0, wanted, 0) < 0) from = middle + 1
    else end = middle
  }
  let to = from
  while (to < all.length && compareKeys(ids, all[to] ?? 0, wanted, 0) === 0) to += 1
  return all.subarray(from, to)
}
