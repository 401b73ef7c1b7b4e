/**
 * Checks a whole draw from its published files and names what is wrong (docs/reference/draw.md, "Checking"). It has no
 * access but `source`, so that it runs in Node, in a worker of a page, and over files in memory.
 */
import type { Parsed } from '../lib/parse.ts'
import { type Allocation, allocate, type DrawOffer, offersHash } from './allocation.ts'
import { checkRound, roundFile } from './beacon-file.ts'
import { bytesOfHex, hexOf } from './bytes.ts'
import { timeOfRound, type VerifyRound } from './chain.ts'
import { type EarlierOutcome, triesAfter } from './extra-tries.ts'
import { batchesOfJoining, largestParty, partiesOf, type Ranking, rankParties, scorer, seedOfDraw } from './ranking.ts'
import {
  idOf,
  isInOrder,
  isRecord,
  type RecordList,
  recordAt,
  recordBytes,
  recordsWithId,
  type SortedRecords,
  sortRecords,
  triesOf,
} from './record.ts'
import { type DrawRules, type EarlierDraw, lastHeadAt, readRules, roundOfDraw, rulesFile, rulesHash } from './rules.ts'
import { hashBytes } from './sha256.ts'
import {
  type DrawEvent,
  type DrawHead,
  type DrawStep,
  headLine,
  lineHash,
  lineTextsOf,
  lineVerifier,
  readLine,
  receiptLine,
  type SignedLine,
  stepLine,
  type VerifyLine,
} from './signed-line.ts'
import { leafHash, leafHashes, rootOfHashes, tileRecords } from './tree.ts'

/** The names of all faults, in the order in which they are looked for. */
export const drawFaults = [
  ...['rules-unreadable', 'rules-changed', 'rules-round'],
  ...['head-missing', 'head-unreadable', 'head-signature', 'head-other-draw', 'head-chain', 'head-order'],
  ...['head-late', 'head-replaced', 'tile-missing', 'record-unreadable', 'record-order', 'root-wrong'],
  ...[
    'tile-roots-wrong',
    'receipt-unreadable',
    'receipt-other-draw',
    'receipt-signature',
    'receipt-excluded',
    'receipt-late',
  ],
  ...['group-too-large', 'earlier-wrong', 'tries-wrong', 'beacon-unreadable', 'beacon-round'],
  ...['beacon-randomness', 'beacon-signature', 'step-unreadable', 'step-signature', 'step-other-draw'],
  ...['step-chain', 'step-order', 'step-replaced', 'step-event', 'step-early', 'offers-wrong', 'threshold-wrong'],
] as const
export type DrawFault = (typeof drawFaults)[number]

/** A file of the draw by its path in the folder of the draw, such as `tiles/0.bin`; undefined if it is missing. */
export type DrawSource = (path: string) => Promise<Uint8Array | undefined>

/** The knowledge of the reader beside the files: the hash of the rules, receipts, and heads and steps that were seen earlier. */
export type KnownOfDraw = {
  rules?: string
  receipts?: readonly string[]
  heads?: readonly string[]
  steps?: readonly string[]
}

export type CheckOptions = {
  /** Without it, the signature of the beacon is not checked, and `isBeaconVerified` is missing. */
  verifyRound?: VerifyRound
  known?: KnownOfDraw
  /** The clock of the reader, epoch ms. Without it no draw is `void`. */
  now?: number
  /** Awaited with the number of records before they are read, such as to ask the reader of a large list. */
  beforeList?: (count: number) => Promise<void>
  /** Called after each part of the work: `done` of `total` are finished. */
  onProgress?: (done: number, total: number) => void
  /** For tests of ties: how many bytes of a score count. */
  scoreBytes?: number
}

/** `detail` says where, for people; the first of each name. */
type FoundFault = { fault: DrawFault; detail: string }

/** `offeredAt` is when each entry was offered its unit, epoch ms: the time of that step. */
type DrawResult = {
  ranking: Ranking
  allocation: Allocation
  offers: readonly DrawOffer[]
  offeredAt: ReadonlyMap<number, number>
}

/**
 * `state`: `open` before the closing head, `closed` before the beacon, `drawn` after it, `void` where the time of the round came
 * before a closing head; missing where a fault stopped the check before. `isUnfinished`: an open list has records whose head
 * is not signed yet. `offers` of `result` are all that were made, in order.
 */
export type DrawCheck = {
  faults: FoundFault[]
  state?: 'open' | 'closed' | 'drawn' | 'void'
  isUnfinished?: true
  isBeaconVerified?: boolean
  rules?: DrawRules
  heads?: readonly DrawHead[]
  records?: SortedRecords
  result?: DrawResult
}

/** A fault after which the check cannot go on. */
class Stop extends Error {}

type Checking = CheckOptions & {
  source: DrawSource
  /** Set for an earlier draw of a series: what the later one says of it. */
  as?: EarlierDraw
  found: DrawCheck
  fault: (fault: DrawFault, detail: string) => void
}

/** Checks the draw at `source`. @throws what `source` throws */
export async function checkDraw(source: DrawSource, options: CheckOptions): Promise<DrawCheck> {
  return check(source, options)
}

async function check(source: DrawSource, options: CheckOptions, as?: EarlierDraw): Promise<DrawCheck> {
  const found: DrawCheck = { faults: [] }
  const fault = (name: DrawFault, detail: string) => {
    if (!found.faults.some((one) => one.fault === name)) found.faults.push({ fault: name, detail })
  }
  try {
    await checkAll({ ...options, source, found, fault, ...(as && { as }) })
  } catch (error) {
    if (!(error instanceof Stop)) throw error
  }
  return found
}

async function checkAll(checking: Checking): Promise<void> {
  const { found, fault, source, as, now } = checking
  const file = await source(rulesFile)
  const rules = checkRules(checking, file)
  const hash = rulesHash(file ?? new Uint8Array())
  const verify = lineVerifier(rules.keys)
  const heads = await checkHeads(checking, rules, { verify, hash: hexOf(hash) })
  found.rules = rules
  found.heads = heads.map(({ payload }) => payload)
  const closing = heads.at(-1)
  const isClosed = closing !== undefined && closing.payload.at >= rules.closesAt
  const total = 2 * (closing?.payload.count ?? 0)

  const list = await readList(checking, { heads: found.heads, isClosed, total })
  const isReadable = checkRecords(checking, rules, list)
  const records = sortRecords(list)
  found.records = records
  if (isClosed) await checkReceipts(checking, rules, { verify, records, heads: found.heads })
  if (!isReadable) throw new Stop()
  const parties = partiesOf(records)
  if (as === undefined) {
    if (largestParty(parties) > rules.mostInGroup) {
      fault('group-too-large', `a group has ${largestParty(parties)} entries, at most ${rules.mostInGroup} may`)
    }
    await checkTries(checking, rules, records)
  }
  if (!isClosed) {
    if ((await source(roundFile)) !== undefined) fault('head-missing', 'the round is published, and no closing head')
    found.state = now !== undefined && now >= timeOfRound(rules.beacon, rules.round) ? 'void' : 'open'
    return
  }
  found.state = 'closed'
  const randomness = await checkBeacon(checking, rules)
  if (randomness === undefined) return
  const root = bytesOfHex(closing.payload.root)
  const score = scorer(seedOfDraw(hash, root, randomness), checking.scoreBytes)
  const counts = found.heads.map(({ count }) => count)
  const ranking = rankParties(parties, score, {
    joinedIn: rules.ranks === 'joined' ? batchesOfJoining(records, counts) : undefined,
    onProgress: (done) => checking.onProgress?.(list.count + done, total),
  })
  checking.onProgress?.(total, total)
  const allocation = allocate(
    ranking,
    rules.variants.map(({ units }) => units),
  )
  found.result = { ranking, allocation, offers: allocation.first, offeredAt: new Map() }
  await checkSteps(checking, rules, { verify, closing, result: found.result })
}

function checkRules({ fault, known, as }: Checking, file: Uint8Array | undefined): DrawRules {
  const read: Parsed<DrawRules> =
    file === undefined ? { ok: false, field: 'body', detail: 'is missing' } : readRules(file)
  if (!read.ok) {
    fault('rules-unreadable', `draw.json: ${read.detail}`)
    throw new Stop()
  }
  const expected = as?.rules ?? known?.rules
  const hash = hexOf(rulesHash(file ?? new Uint8Array()))
  if (expected !== undefined && expected !== hash) {
    fault('rules-changed', `draw.json has the hash ${hash}, ${expected} was expected`)
  }
  const rules = read.value
  const round = roundOfDraw(rules)
  if (rules.round !== round) fault('rules-round', `the round is ${rules.round}, ${round} follows from the rules`)
  else if (lastHeadAt(rules) <= rules.closesAt) {
    fault('rules-round', `round ${round} is so early that the closing head would be late`)
  }
  return rules
}

type Verified = { verify: VerifyLine }

/** Lines of a chain: each has its number, and the hash of the line before. The first one has `start` for it. */
function isChained({ payload }: SignedLine<DrawHead | DrawStep>, number: number, before: string): boolean {
  return payload.number === number && payload.previous === before
}

async function checkHeads(
  { source, fault, known, as }: Checking,
  rules: DrawRules,
  { verify, hash }: Verified & { hash: string },
): Promise<SignedLine<DrawHead>[]> {
  const file = await source('heads.txt')
  if (file === undefined || file.length === 0) {
    fault('head-missing', 'heads.txt is missing or empty')
    throw new Stop()
  }
  const lines = lineTextsOf(file)
  const heads = lines.map((line) => readLine(headLine, line, rules.keys))
  if (!isWhole(heads)) {
    fault('head-unreadable', `head ${heads.indexOf(undefined)} is not one`)
    throw new Stop()
  }
  let before: DrawHead | undefined
  for (const [number, head] of heads.entries()) {
    const { payload } = head
    const previous = lines[number - 1]
    if (!(await verify(head))) fault('head-signature', `head ${number} is not signed by its key`)
    if (payload.sale !== rules.sale || payload.rules !== hash || payload.round !== rules.round) {
      fault('head-other-draw', `head ${number} has another sale, round or hash of the rules`)
    }
    if (!isChained(head, number, previous === undefined ? hash : lineHash(previous))) {
      fault('head-chain', `head ${number} does not follow the one before`)
    }
    const falls = before !== undefined && (payload.count < before.count || payload.at <= before.at)
    if (falls || (before !== undefined && before.at >= rules.closesAt)) {
      fault('head-order', `head ${number} has fewer records or an earlier time, or follows the closing head`)
      throw new Stop()
    }
    before = payload
  }
  if (before !== undefined && before.at >= rules.closesAt && before.at > lastHeadAt(rules)) {
    fault('head-late', `the closing head was signed at ${before.at}, after ${lastHeadAt(rules)}`)
  }
  for (const seen of known?.heads ?? []) {
    if (!lines.includes(seen)) fault('head-replaced', `the head ${lineHash(seen)} was seen and is not published`)
  }
  const last = lineHash(lines.at(-1) ?? '')
  if (as !== undefined && as.head !== last) fault('head-replaced', `the last head has the hash ${last}`)
  return heads
}

function isWhole<T>(items: readonly (T | undefined)[]): items is T[] {
  return items.every((item) => item !== undefined)
}

type HeadedList = { heads: readonly DrawHead[]; isClosed: boolean; total: number }

/** Reads all tiles, and compares the root of each head. Before the closing head, records of the next one may be there. */
async function readList(
  { source, fault, found, onProgress, beforeList }: Checking,
  { heads, isClosed, total }: HeadedList,
): Promise<RecordList> {
  const count = heads.at(-1)?.count ?? 0
  await beforeList?.(count)
  const tiles = Math.ceil(count / tileRecords)
  const read = (tile: number) => (tile < tiles ? source(`tiles/${tile}.bin`) : undefined)
  const bytes = new Uint8Array(count * recordBytes)
  const roots = new Uint8Array(tiles * hashBytes)
  const check = rootChecker(heads, fault)
  check(0, roots, new Uint8Array())
  let next = read(0)
  for (let tile = 0; tile < tiles; tile += 1) {
    const file = await next
    const expected = Math.min(tileRecords, count - tile * tileRecords)
    const isLonger = !isClosed && isLongerTile(file, expected)
    if (isLonger) found.isUnfinished = true
    const records = isLonger ? file?.subarray(0, expected * recordBytes) : file
    if (records?.length !== expected * recordBytes) {
      fault('tile-missing', `tiles/${tile}.bin must have ${expected} records`)
      throw new Stop()
    }
    // The next one is on its way meanwhile.
    next = read(tile + 1)
    const hashes = leafHashes(records)
    bytes.set(records, tile * tileRecords * recordBytes)
    roots.set(rootOfHashes(hashes), tile * hashBytes)
    check(tile, roots, hashes)
    onProgress?.(tile * tileRecords + expected, total)
  }
  const published = (await source('tiles/roots.bin')) ?? new Uint8Array()
  if (hexOf(published) !== hexOf(roots)) {
    const full = Math.floor(count / tileRecords) * hashBytes
    if (!isClosed && areLaterRoots(published, roots, full)) found.isUnfinished = true
    else fault('tile-roots-wrong', 'tiles/roots.bin has other roots than the tiles')
  }
  return { bytes, count }
}

/** Whether a tile has whole records behind those that the last head commits to. */
function isLongerTile(file: Uint8Array | undefined, expected: number): boolean {
  const records = (file?.length ?? 0) / recordBytes
  return Number.isInteger(records) && records > expected && records <= tileRecords
}

/** Whether these may be the roots of a longer list: those of its full tiles, the first `full` bytes, never change. */
function areLaterRoots(published: Uint8Array, roots: Uint8Array, full: number): boolean {
  return (
    published.length % hashBytes === 0 &&
    published.length >= roots.length &&
    hexOf(published.subarray(0, full)) === hexOf(roots.subarray(0, full))
  )
}

/** Compares the roots of heads whose last record is in `tile`, of which `hashes` are the leaf hashes. */
function rootChecker(heads: readonly DrawHead[], fault: Checking['fault']) {
  return (tile: number, roots: Uint8Array, hashes: Uint8Array) => {
    const isEmpty = hashes.length === 0
    for (const [number, { count, root }] of heads.entries()) {
      const inTile = count - tile * tileRecords
      if (isEmpty ? count > 0 : inTile <= 0 || inTile > tileRecords) continue
      const before = roots.slice(0, (tile + (isEmpty ? 0 : 1)) * hashBytes)
      if (!isEmpty) before.set(rootOfHashes(hashes.subarray(0, inTile * hashBytes)), tile * hashBytes)
      if (hexOf(rootOfHashes(before)) !== root) {
        fault('root-wrong', `head ${number} has another root than its ${count} records`)
      }
    }
  }
}

/** Whether every record can be read. */
function checkRecords({ fault, found }: Checking, rules: DrawRules, list: RecordList): boolean {
  let from = 0
  for (const { count } of found.heads ?? []) {
    if (!isInOrder(list, from, count)) fault('record-order', `ids of records ${from} to ${count - 1} do not ascend`)
    from = count
  }
  for (let record = 0; record < list.count; record += 1) {
    if (isRecord(list, record, rules)) continue
    fault('record-unreadable', `record ${record} is not one`)
    return false
  }
  return true
}

async function checkReceipts({ fault, known }: Checking, rules: DrawRules, list: ReceiptList): Promise<void> {
  for (const [number, line] of (known?.receipts ?? []).entries()) {
    const wrong = await faultOfReceipt(line, rules, list)
    if (wrong !== undefined) fault(wrong.fault, `receipt ${number} ${wrong.detail}`)
  }
}

/** The list in which the record of a receipt must be, and its heads. */
type ReceiptList = Verified & { records: SortedRecords; heads: readonly DrawHead[] }

/** A head that was signed so long after a receipt has its record, ms: by then the entry was stored, and read. */
const listedWithinMs = 60_000

/** What is wrong with a receipt, or undefined for one whose record is in the list, for ranks by joining in the batch of its time. */
export async function faultOfReceipt(
  line: string,
  rules: DrawRules,
  { verify, records, heads }: ReceiptList,
): Promise<FoundFault | undefined> {
  const receipt = readLine(receiptLine, line, rules.keys)
  if (receipt === undefined) return { fault: 'receipt-unreadable', detail: 'is not one' }
  const { sale, id, leaf, at } = receipt.payload
  if (sale !== rules.sale) return { fault: 'receipt-other-draw', detail: `is of ${sale}` }
  if (!(await verify(receipt))) return { fault: 'receipt-signature', detail: 'is not signed by its key' }
  const hasLeaf = (record: number) => hexOf(leafHash(recordAt(records.list, record))) === leaf
  const record = recordsWithId(records, bytesOfHex(id)).find(hasLeaf)
  if (record === undefined) return { fault: 'receipt-excluded', detail: `has no record in the list, entrant ${id}` }
  const head = heads.find((one) => one.at >= at + listedWithinMs)
  return rules.ranks === 'joined' && head !== undefined && record >= head.count
    ? { fault: 'receipt-late', detail: `is older than the batch of its record, entrant ${id}` }
    : undefined
}

async function checkTries(checking: Checking, rules: DrawRules, records: SortedRecords): Promise<void> {
  const { fault } = checking
  const outcomes = await allEarlier(checking, rules)
  const expected = triesAfter(records, outcomes, rules.mostTries)
  const wrong = records.all.findIndex((record, place) => {
    const tries = triesOf(records.list, record)
    return tries > 0 && tries !== expected[place]
  })
  const record = records.all[wrong]
  if (record !== undefined) {
    const id = hexOf(idOf(records.list, record))
    fault('tries-wrong', `record ${record}, entrant ${id}, must have ${expected[wrong]} tries`)
  }
}

/**
 * What the earlier draws of a series say of their entrants, in the order of the rules, each checked as a reader does.
 * @throws RangeError for one with a fault, and what `source` throws
 */
export function earlierOutcomes(
  source: DrawSource,
  rules: DrawRules,
  options: Pick<CheckOptions, 'verifyRound'>,
): Promise<EarlierOutcome[]> {
  const fault = (name: DrawFault, detail: string) => {
    throw new RangeError(`${name}: ${detail}`)
  }
  return allEarlier({ ...options, source, fault }, rules)
}

type EarlierChecking = Pick<Checking, 'source' | 'fault' | 'verifyRound' | 'scoreBytes'>

async function allEarlier(checking: EarlierChecking, rules: DrawRules): Promise<EarlierOutcome[]> {
  const outcomes: EarlierOutcome[] = []
  for (const earlier of rules.earlier) outcomes.push(await readEarlier(checking, earlier))
  return outcomes
}

async function readEarlier(
  { source, fault, verifyRound, scoreBytes }: EarlierChecking,
  earlier: EarlierDraw,
): Promise<EarlierOutcome> {
  const options = { ...(verifyRound && { verifyRound }), ...(scoreBytes !== undefined && { scoreBytes }) }
  const { faults, records, result } = await check((path) => source(`../${earlier.sale}/${path}`), options, earlier)
  const [first] = faults
  if (first === undefined && records !== undefined && result !== undefined) {
    return { records, wasOffered: result.allocation.wasOffered }
  }
  const why = first === undefined ? 'it is not drawn yet' : `${first.fault}, ${first.detail}`
  fault('earlier-wrong', `the draw of ${earlier.sale}: ${why}`)
  throw new Stop()
}

/** The randomness, or undefined before the beacon's round is published. */
async function checkBeacon(
  { source, fault, found, verifyRound }: Checking,
  rules: DrawRules,
): Promise<Uint8Array | undefined> {
  const file = await source(roundFile)
  if (file === undefined) return undefined
  found.state = 'drawn'
  const checked = checkRound(file, rules, { fault, verifyRound })
  if (checked === undefined) throw new Stop()
  if (checked.isVerified !== undefined) found.isBeaconVerified = checked.isVerified
  return checked.randomness
}

async function checkSteps(
  { source, fault, known, as }: Checking,
  rules: DrawRules,
  { verify, closing, result }: Verified & { closing: SignedLine<DrawHead>; result: DrawResult },
): Promise<void> {
  const all = lineTextsOf(await source('allocation.txt'))
  const until = as === undefined ? undefined : all.findIndex((line) => lineHash(line) === as.step)
  if (until === -1) fault('step-chain', `no step has the hash ${as?.step}`)
  const lines = all.slice(0, until === undefined ? undefined : until + 1)
  const steps = lines.map((line) => readLine(stepLine, line, rules.keys))
  if (!isWhole(steps)) {
    fault('step-unreadable', `step ${steps.indexOf(undefined)} is not one`)
    throw new Stop()
  }
  for (const seen of known?.steps ?? []) {
    if (!lines.includes(seen)) fault('step-replaced', `the step ${lineHash(seen)} was seen and is not published`)
  }
  const play = stepPlayer(rules, result, fault)
  let [before, at] = [closing.line, closing.payload.at]
  for (const [number, step] of steps.entries()) {
    const { payload, line } = step
    if (!(await verify(step))) fault('step-signature', `step ${number} is not signed by its key`)
    if (payload.sale !== rules.sale) fault('step-other-draw', `step ${number} is of ${payload.sale}`)
    if (!isChained(step, number, lineHash(before))) fault('step-chain', `step ${number} does not follow the one before`)
    if (payload.at <= at || (number === 0 && payload.events.length > 0)) {
      fault('step-order', `step ${number} is not later than the one before, or the first one has events`)
    }
    play(payload, number)
    ;[before, at] = [line, payload.at]
  }
}

/** Plays the events of steps, one after the other, and compares what follows from them. */
function stepPlayer(rules: DrawRules, result: DrawResult, fault: Checking['fault']) {
  const { allocation } = result
  const offeredAt = new Map<number, number>()
  const offers = [...allocation.first]
  Object.assign(result, { offers, offeredAt })
  const claimWindowMs = 1000 * rules.claimWindowSeconds

  function madeBy(event: DrawEvent, { at, number }: { at: number; number: number }): DrawOffer[] {
    if ('variant' in event) {
      const made = allocation.add(event.variant, event.units)
      if (made === undefined) fault('step-event', `step ${number} adds units of variant ${event.variant}`)
      return made ?? []
    }
    const { entry, reason } = event
    const made = allocation.giveBack(entry)
    if (made === undefined) fault('step-event', `step ${number}: entry ${entry} holds no unit`)
    else if (reason === 'unclaimed' && at < (offeredAt.get(entry) ?? 0) + claimWindowMs) {
      fault('step-early', `step ${number} ends the offer of entry ${entry} before its time`)
    }
    return made ?? []
  }

  return ({ at, events, ...step }: DrawStep, number: number) => {
    const made = number === 0 ? [...allocation.first] : []
    for (const { entry } of made) offeredAt.set(entry, at)
    for (const event of events) {
      const more = madeBy(event, { at, number })
      // At once: the next event of this step must not end one of these as unclaimed.
      for (const { entry } of more) offeredAt.set(entry, at)
      offers.push(...more)
      made.push(...more)
    }
    if (step.offers !== made.length || step.offersHash !== offersHash(made)) {
      fault('offers-wrong', `step ${number} makes ${made.length} other offers than it says`)
    }
    if (step.threshold !== allocation.threshold()) {
      fault('threshold-wrong', `after step ${number} the threshold is ${allocation.threshold()}`)
    }
  }
}
