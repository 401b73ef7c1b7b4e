/**
 * Runs `checkDraw` over the published files for the worker of the page that checks a draw, and reports the result in a form
 * that a page can show. It does not depend on a page, so that tests run it over files in memory.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { csvText } from '../../../../core/lib/csv-line.ts'
import {
  type CheckOptions,
  checkDraw,
  type DrawCheck,
  type DrawFault,
  type DrawSource,
  type KnownOfDraw,
  signedListFile,
  stepsFile,
} from '../../core/check-draw.ts'
import { findRecord, idOf, type RecordList, variantOf } from '../../core/list.ts'
import { type DrawRules, fileLines, rulesFile, rulesHash, timeOfRound } from '../../core/rules.ts'

/**
 * The entry of the reader's receipts. `rank` counts from 1 among entries of the same variant. `offer` is `held` while the
 * entry holds a unit, `returned` once it was returned.
 */
export type OwnEntry = {
  state: 'unlisted' | 'left' | 'entered'
  rank?: number
  of?: number
  offer?: 'held' | 'returned'
}

/**
 * `winners` is a CSV file of all offers. `receipts` has the fault of each receipt of the reader, undefined for a valid one.
 * `seen` are the lines to store for a later check.
 */
export type DrawReport = Pick<DrawCheck, 'faults' | 'state' | 'rules' | 'signed'> & {
  rulesHash: string
  roundAt?: number
  entries?: number
  result?: { offers: number; holding: number; waiting: number; winners: string }
  receipts: (DrawFault | undefined)[]
  own?: OwnEntry
  seen: { list?: string; step?: string }
}

/** Checks a draw and reports it; undefined if none is published. @throws what `source` throws */
export async function reportDraw(
  source: DrawSource,
  options: CheckOptions & { known: KnownOfDraw },
): Promise<DrawReport | undefined> {
  const files = new Map<string, Uint8Array | undefined>()
  const kept: DrawSource = async (path, maxBytes) => {
    const file = await source(path, maxBytes)
    files.set(path, file)
    return file
  }
  const found = await checkDraw(kept, options)
  const { known } = options
  const isKnownDraw = known.rules !== undefined || (known.receipts ?? []).length > 0
  if (files.get(rulesFile) === undefined && !isKnownDraw) return undefined
  const { faults, state, rules, signed, list, result } = found
  const hash = bytesToHex(rulesHash(files.get(rulesFile) ?? new Uint8Array()))
  const lastOf = (file: string) => fileLines(files.get(file)).at(-1)
  const [listSeen, step] = [lastOf(signedListFile), lastOf(stepsFile)]
  return {
    faults,
    rulesHash: hash,
    ...(state && { state }),
    ...(rules && { rules, roundAt: timeOfRound(rules.beacon, rules.round) }),
    ...(signed && { signed }),
    ...(list && result && { entries: entriesIn(result.queues) }),
    ...(rules && list && result && { result: resultOf(rules, list, result) }),
    receipts: found.receipts.map(({ wrong }) => wrong?.fault),
    ...ownEntryOf(found),
    seen: { ...(listSeen && { list: listSeen }), ...(step && { step }) },
  }
}

type DrawResult = NonNullable<DrawCheck['result']>

const entriesIn = (queues: DrawResult['queues']) => queues.reduce((sum, { length }) => sum + length, 0)

function resultOf(rules: DrawRules, list: RecordList, { queues, allocation: { holds, offered } }: DrawResult) {
  const counts = offered()
  const rows = queues.flatMap((queue, n) =>
    [...queue.subarray(0, counts[n])].map((entry, rank) => {
      const variant = rules.variants[n]?.id ?? ''
      return [rank + 1, bytesToHex(idOf(list, entry)), variant, holds.get(entry) ? 'held' : 'returned']
    }),
  )
  return {
    offers: holds.size,
    holding: [...holds.values()].filter(Boolean).length,
    waiting: entriesIn(queues) - holds.size,
    winners: csvText([['rank', 'entrant', 'variant', 'unit'], ...rows]),
  }
}

/** Returns the entry of the latest receipt that the shop has signed for this draw. */
function ownEntryOf({ receipts, list, result }: DrawCheck): Pick<DrawReport, 'own'> {
  const signed = receipts.flatMap(({ payload }) => payload ?? []).toSorted((a, b) => a.at - b.at)
  const last = signed.at(-1)
  if (last === undefined) return {}
  const entry = list && findRecord(list, hexToBytes(last.id))
  if (list === undefined || entry === undefined) return { own: { state: 'unlisted' } }
  const variant = variantOf(list, entry)
  if (variant === 0) return { own: { state: 'left' } }
  return { own: { state: 'entered', ...(result && placeOf(result, entry, variant)) } }
}

function placeOf(
  { queues, allocation: { holds } }: DrawResult,
  entry: number,
  variant: number,
): Omit<OwnEntry, 'state'> {
  const queue = queues[variant - 1] ?? new Uint32Array()
  const holding = holds.get(entry)
  return {
    rank: queue.indexOf(entry) + 1,
    of: queue.length,
    ...(holding !== undefined && { offer: holding ? 'held' : 'returned' }),
  }
}
