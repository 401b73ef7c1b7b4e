/**
 * The work of the page that checks a draw, which its worker runs: core/draw's check over the published files, and what
 * follows from them in a form that a page can show. It knows no page, so that tests run it over files in memory.
 */
import { bytesOfHex, hexOf } from '../../../core/draw/bytes.ts'
import { timeOfRound } from '../../../core/draw/chain.ts'
import {
  type CheckOptions,
  checkDraw,
  type DrawCheck,
  type DrawFault,
  type DrawSource,
  faultOfReceipt,
  type KnownOfDraw,
} from '../../../core/draw/check-draw.ts'
import { membersOf } from '../../../core/draw/ranking.ts'
import { idOf, recordsWithId, triesOf } from '../../../core/draw/record.ts'
import { type DrawRules, rulesFile, rulesHash } from '../../../core/draw/rules.ts'
import { lineTextsOf, lineVerifier, readLine, receiptLine } from '../../../core/draw/signed-line.ts'

/** The result of a reader's receipt: its fault, or that the list has it. `at` is the time of the entry, epoch ms. */
type CheckedReceipt = { fault?: DrawFault; at?: number }

/**
 * The entry of the reader's receipts. `rank` counts from 1; `ahead` are the parties that still wait in front of it.
 * `offer` is `held` for a unit that the entry may have now, at first `until` (epoch ms), `returned` for one that it gave back.
 */
export type OwnEntry = {
  state: 'unlisted' | 'left' | 'standing'
  rank?: number
  of?: number
  ahead?: number
  offer?: 'held' | 'returned'
  variant?: string
  until?: number
}

/** `winners` is a CSV file of all offers in their order. `seen` are the lines that a later check compares. */
export type DrawReport = Pick<DrawCheck, 'faults' | 'state' | 'isUnfinished' | 'isBeaconVerified' | 'rules'> & {
  rulesHash: string
  roundAt?: number
  heads?: number
  head?: { at: number; count: number; root: string }
  entries?: number
  parties?: number
  result?: { offers: number; holding: number; waiting: number; threshold: string; winners: string }
  receipts: CheckedReceipt[]
  own?: OwnEntry
  seen: { head?: string; step?: string }
}

/** Undefined where no draw is published. @throws what `source` throws */
export async function reportDraw(
  source: DrawSource,
  options: CheckOptions & { known: KnownOfDraw },
): Promise<DrawReport | undefined> {
  const files = new Map<string, Uint8Array | undefined>()
  const kept: DrawSource = async (path) => {
    const file = await source(path)
    if (!path.includes('/')) files.set(path, file)
    return file
  }
  const found = await checkDraw(kept, options)
  const { known } = options
  const hasKnown = known.rules !== undefined || (known.receipts ?? []).length > 0
  if (files.get(rulesFile) === undefined && !hasKnown) return undefined
  const { faults, state, isUnfinished, isBeaconVerified, rules, heads, records, result } = found
  const last = heads?.at(-1)
  return {
    faults,
    rulesHash: hexOf(rulesHash(files.get(rulesFile) ?? new Uint8Array())),
    ...(state && { state }),
    ...(isUnfinished && { isUnfinished }),
    ...(isBeaconVerified !== undefined && { isBeaconVerified }),
    ...(rules && { rules, roundAt: timeOfRound(rules.beacon, rules.round) }),
    ...(heads && { heads: heads.length }),
    ...(last && { head: { at: last.at, count: last.count, root: last.root } }),
    ...(records && { entries: records.standing.length }),
    ...(rules && result && resultOf(rules, result)),
    ...(await ownOf(found, known.receipts ?? [])),
    seen: {
      ...lastLine('head', files.get('heads.txt')),
      ...lastLine('step', files.get('allocation.txt')),
    },
  }
}

function lastLine(name: 'head' | 'step', file: Uint8Array | undefined): { head?: string; step?: string } {
  const line = lineTextsOf(file).at(-1)
  return line ? { [name]: line } : {}
}

type DrawResult = NonNullable<DrawCheck['result']>

function resultOf(rules: DrawRules, { ranking, allocation, offers }: DrawResult) {
  const rankOf = new Map<number, number>()
  for (const [rank, party] of ranking.byRank.entries()) {
    for (const member of membersOf(ranking, party)) {
      if (allocation.wasOffered(member)) rankOf.set(member, rank + 1)
    }
  }
  const rows = offers.map(({ entry, variant }) => {
    const name = rules.variants[variant - 1]?.id ?? ''
    const holds = allocation.heldBy(entry) === undefined ? 'returned' : 'held'
    return `${rankOf.get(entry)},${hexOf(idOf(ranking.list, entry))},${name},${holds}\n`
  })
  const holding = offers.filter(({ entry }) => allocation.heldBy(entry) !== undefined).length
  return {
    parties: ranking.count,
    result: {
      ...{ offers: offers.length, holding, waiting: ranking.members.length - rankOf.size },
      threshold: allocation.threshold(),
      winners: `rank,entrant,variant,unit\n${rows.join('')}`,
    },
  }
}

/** Whether a receipt is one of this draw, signed by its shop. */
const isGenuine = (fault: DrawFault | undefined): boolean =>
  fault === undefined || fault === 'receipt-excluded' || fault === 'receipt-late'

/** What the receipts say, and the entry of the last one that the shop has signed for this draw. */
async function ownOf(
  { rules, records, heads = [], state, result }: DrawCheck,
  lines: readonly string[],
): Promise<Pick<DrawReport, 'receipts' | 'own'>> {
  if (rules === undefined || records === undefined) return { receipts: [] }
  const verify = lineVerifier(rules.keys)
  const receipts: CheckedReceipt[] = []
  let [id, latest] = ['', 0]
  for (const line of lines) {
    const wrong = (await faultOfReceipt(line, rules, { verify, records, heads }))?.fault
    const payload = readLine(receiptLine, line, rules.keys)?.payload
    // While entries are open, a new entry waits for the next head; a list that is void is not complete.
    const isComplete = state !== 'open' && state !== 'void'
    const fault = wrong === 'receipt-excluded' && !isComplete ? undefined : wrong
    receipts.push({ ...(fault && { fault }), ...(payload && { at: payload.at }) })
    if (payload === undefined || !isGenuine(wrong)) continue
    if (payload.at >= latest) [id, latest] = [payload.id, payload.at]
  }
  if (id === '') return { receipts }
  const record = recordsWithId(records, bytesOfHex(id)).at(-1)
  if (record === undefined) return { receipts, own: { state: 'unlisted' } }
  if (triesOf(records.list, record) === 0) return { receipts, own: { state: 'left' } }
  return { receipts, own: { state: 'standing', ...(result && placeOf(rules, result, record)) } }
}

function placeOf(
  rules: DrawRules,
  { ranking, allocation, offeredAt }: DrawResult,
  entry: number,
): Omit<OwnEntry, 'state'> {
  let ahead = 0
  const rank = ranking.byRank.findIndex((party) => {
    const members = membersOf(ranking, party)
    if (members.includes(entry)) return true
    if (!allocation.wasOffered(members[0] ?? 0)) ahead += 1
    return false
  })
  const held = allocation.heldBy(entry)
  const variant = held === undefined ? undefined : rules.variants[held - 1]?.id
  const since = offeredAt.get(entry)
  return {
    ...{ rank: rank + 1, of: ranking.count, ahead },
    ...(allocation.wasOffered(entry) && { offer: held === undefined ? 'returned' : 'held' }),
    ...(variant !== undefined && { variant }),
    ...(since !== undefined && { until: since + 1000 * rules.claimWindowSeconds }),
  }
}
