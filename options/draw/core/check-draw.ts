/**
 * Checks a whole draw from its published files and names the faults (options/draw/docs/reference.md, "Checking"). It reads
 * only from `source`, so that it runs in Node, in a web worker, and over files in memory.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import {
  type Allocation,
  allocate,
  changeNumberOf,
  type DrawQueues,
  findRecord,
  isInOrder,
  type RecordList,
  rankEntries,
  recordBytes,
  rootOf,
  seedOfDraw,
  variantOf,
} from './list.ts'
import {
  anyWhole,
  type BeaconChain,
  type DrawList,
  type DrawReceipt,
  type DrawRules,
  type DrawStep,
  hashText,
  hexText,
  iterateLines,
  lastListAt,
  lineHash,
  lineVerifier,
  listLine,
  maxLineLength,
  maxRulesBytes,
  readExactly,
  readLine,
  readRules,
  receiptLine,
  roundOfDraw,
  rulesFile,
  rulesHash,
  type SignedLine,
  stepLine,
  timeOfRound,
  type VerifyLine,
} from './rules.ts'

/** The names of all faults, in the order of the checks. */
export const drawFaults = [
  ...['rules-unreadable', 'rules-changed', 'rules-round', 'list-unreadable', 'list-signature', 'list-other-draw'],
  ...['list-early', 'list-late', 'list-replaced', 'list-missing', 'record-unreadable', 'record-order', 'root-wrong'],
  ...['receipt-unreadable', 'receipt-other-draw', 'receipt-signature', 'receipt-excluded'],
  ...['beacon-unreadable', 'beacon-round', 'beacon-randomness', 'beacon-signature', 'step-unreadable'],
  ...['step-replaced', 'step-signature', 'step-chain', 'step-order', 'step-event', 'step-early', 'offers-wrong'],
] as const
export type DrawFault = (typeof drawFaults)[number]

/**
 * Reads a file of the draw by its path in the folder of the draw, such as `list.bin`; undefined if it is missing. A file
 * longer than `maxBytes` is rejected, so it may be cut one byte after that.
 */
export type DrawSource = (path: string, maxBytes: number) => Promise<Uint8Array | undefined>

/** Reads the first bytes of a stream: at least `maxBytes` and one more, if there are so many. */
export async function firstBytes(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length <= maxBytes) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  await reader.cancel()
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

const maxRoundBytes = 65_536
const maxStepsBytes = 2 ** 28

/** The files of a draw beside its rules. */
export const listFile = 'list.bin'
export const signedListFile = 'list.txt'
export const stepsFile = 'allocation.txt'
export const roundFile = 'beacon.json'

const beaconRound = /* @__PURE__ */ z.strictObject({ round: anyWhole, randomness: hashText, signature: hexText })

/** Returns the content of the file of the round. */
export function roundBytes({ round, randomness, signature }: z.output<typeof beaconRound>): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ round, randomness, signature })}\n`)
}

/** Verifies the signature (lower-case hexadecimal digits) of a round of a chain; undefined for a wrong one. */
export type VerifyRound = (chain: BeaconChain, round: number, signature: string) => object | undefined

/** Facts that the reader knows apart from the files: the hash of the rules, receipts, and signed lists and steps seen earlier. */
export type KnownOfDraw = {
  rules?: string
  receipts?: readonly string[]
  lists?: readonly string[]
  steps?: readonly string[]
}

export type CheckOptions = {
  verifyRound: VerifyRound
  known?: KnownOfDraw
  /** The reader's clock, epoch ms. Without it no draw is `void`. */
  now?: number
  /** Called after each part of the work: `done` of `total` are finished. */
  onProgress?: (done: number, total: number) => void
}

/** `detail` says where, for people. Only the first fault of each name is kept. */
type FoundFault = { fault: DrawFault; detail: string }

/** A receipt of the reader: its fault, and its payload if the shop has signed it for this draw. */
type CheckedReceipt = { wrong?: FoundFault; payload?: DrawReceipt }

/** `offeredAt` is when each entry was offered its unit, epoch ms: the time of that step. */
type DrawResult = { queues: DrawQueues; allocation: Allocation; offeredAt: ReadonlyMap<number, number> }

/**
 * `state`: `open` before the list is signed, `closed` before the beacon, `drawn` after it, `void` when the time of the round
 * came without a list; absent when a fault stopped the check earlier.
 */
export type DrawCheck = {
  faults: FoundFault[]
  receipts: CheckedReceipt[]
  state?: 'open' | 'closed' | 'drawn' | 'void'
  rules?: DrawRules
  signed?: DrawList
  list?: RecordList
  result?: DrawResult
}

/** Stops the check after a fault. */
class CheckStopped extends Error {}

type Checking = CheckOptions & {
  source: DrawSource
  found: DrawCheck
  fault: (fault: DrawFault, detail: string) => void
  stop: (fault: DrawFault, detail: string) => never
}

/** Checks the draw at `source`. @throws what `source` throws */
export async function checkDraw(source: DrawSource, options: CheckOptions): Promise<DrawCheck> {
  const found: DrawCheck = { faults: [], receipts: [] }
  const fault = (name: DrawFault, detail: string) => {
    if (!found.faults.some((one) => one.fault === name)) found.faults.push({ fault: name, detail })
  }
  const stop = (name: DrawFault, detail: string) => {
    fault(name, detail)
    throw new CheckStopped()
  }
  try {
    await checkAll({ ...options, source, found, fault, stop })
  } catch (error) {
    if (!(error instanceof CheckStopped)) throw error
  }
  return found
}

async function checkAll(checking: Checking): Promise<void> {
  const { found, fault, source, now, known, onProgress } = checking
  const file = await source(rulesFile, maxRulesBytes)
  if (file === undefined) return checking.stop('rules-unreadable', 'draw.json is missing')
  const rules = checkRules(checking, file)
  found.rules = rules
  const hash = rulesHash(file)
  const verify = lineVerifier(rules.key)
  for (const line of known?.receipts ?? [])
    found.receipts.push(await checkReceipt(line, rules, { verify, hash: bytesToHex(hash) }))
  const signed = await checkSignedList(checking, rules, { verify, hash: bytesToHex(hash) })
  if (signed === undefined) {
    if ((await source(roundFile, maxRoundBytes)) !== undefined)
      fault('list-missing', 'the round is published, and no signed list')
    found.state = now !== undefined && now >= timeOfRound(rules.beacon, rules.round) ? 'void' : 'open'
    return
  }
  const { count, root } = signed.payload
  found.signed = signed.payload
  const list = await readList(checking, signed.payload)
  found.list = list
  if (!isInOrder(list)) fault('record-order', 'the ids of the records do not ascend')
  if (bytesToHex(rootOf(list, (done) => onProgress?.(done, 2 * count))) !== root)
    fault('root-wrong', 'the list has another root than the one that is signed')
  for (const [number, receipt] of found.receipts.entries()) {
    if (receipt.payload !== undefined && !isListed(list, receipt.payload)) {
      const { id, change } = receipt.payload
      receipt.wrong = {
        fault: 'receipt-excluded',
        detail: `has no record in the list, entrant ${id}, change ${change}`,
      }
    }
    if (receipt.wrong !== undefined) fault(receipt.wrong.fault, `receipt ${number} ${receipt.wrong.detail}`)
  }
  for (let record = 0; record < count; record += 1) {
    if (changeNumberOf(list, record) === 0 || variantOf(list, record) > rules.variants.length)
      checking.stop('record-unreadable', `record ${record} is not one`)
  }
  found.state = 'closed'
  const randomness = await checkBeacon(checking, rules)
  if (randomness === undefined) return
  const seed = seedOfDraw(hash, hexToBytes(root), randomness)
  const queues = rankEntries(list, rules.variants.length, seed, (done) => onProgress?.(count + done, 2 * count))
  onProgress?.(2 * count, 2 * count)
  const units = rules.variants.map((variant) => variant.units)
  const result = { queues, allocation: allocate(list, queues, units), offeredAt: new Map<number, number>() }
  found.result = result
  await checkSteps(checking, rules, { verify, signed, result })
}

function checkRules({ fault, stop, known }: Checking, file: Uint8Array): DrawRules {
  const read = readRules(file)
  if (!read.ok) return stop('rules-unreadable', `draw.json: ${read.detail}`)
  const hash = bytesToHex(rulesHash(file))
  if (known?.rules !== undefined && known.rules !== hash)
    fault('rules-changed', `draw.json has the hash ${hash}, ${known.rules} was expected`)
  const rules = read.value
  const round = roundOfDraw(rules)
  if (rules.round !== round) fault('rules-round', `the round is ${rules.round}, ${round} follows from the rules`)
  else if (lastListAt(rules) <= rules.closesAt)
    fault('rules-round', `round ${round} is so early that the list would be late`)
  return rules
}

type Verified = { verify: VerifyLine }
type OwnRules = Verified & { hash: string }

/** Checks the signed line of the list; undefined before it is published. */
async function checkSignedList(
  { source, fault, stop, known }: Checking,
  rules: DrawRules,
  { verify, hash }: OwnRules,
): Promise<SignedLine<DrawList> | undefined> {
  const lines = [...iterateLines(await source(signedListFile, maxLineLength + 1))]
  const line = lines[0]
  for (const seen of known?.lists ?? []) {
    if (seen !== line) fault('list-replaced', `the signed list ${lineHash(seen)} was seen and is not published`)
  }
  if (line === undefined) return undefined
  const signed = lines.length === 1 ? readLine(listLine, line) : undefined
  if (signed === undefined) return stop('list-unreadable', 'list.txt is not one signed line')
  const { at } = signed.payload
  if (!(await verify(signed))) fault('list-signature', 'the list is not signed by the key of the rules')
  if (signed.payload.rules !== hash) fault('list-other-draw', 'the signed list has another hash of the rules')
  if (at < rules.closesAt) fault('list-early', `the list was signed at ${at}, before the close`)
  if (at > lastListAt(rules)) fault('list-late', `the list was signed at ${at}, after ${lastListAt(rules)}`)
  return signed
}

async function readList({ source, stop }: Checking, { count }: DrawList): Promise<RecordList> {
  const bytes = await source(listFile, count * recordBytes)
  if (bytes?.length !== count * recordBytes) return stop('list-missing', `list.bin must have ${count} records`)
  return { bytes, count }
}

async function checkReceipt(line: string, rules: DrawRules, { verify, hash }: OwnRules): Promise<CheckedReceipt> {
  const wrong = (fault: DrawFault, detail: string) => ({ wrong: { fault, detail } })
  const receipt = readLine(receiptLine, line)
  if (receipt === undefined) return wrong('receipt-unreadable', 'is not one')
  const { payload } = receipt
  if (payload.sale !== rules.sale) return wrong('receipt-other-draw', `is of ${payload.sale}`)
  if (!(await verify(receipt))) return wrong('receipt-signature', 'is not signed by the key of the rules')
  return payload.rules === hash ? { payload } : wrong('rules-changed', 'was given under other rules')
}

/** True when the list has the record of a receipt, or of a later change of the same entrant. */
function isListed(list: RecordList, { id, change, variant }: DrawReceipt): boolean {
  const record = findRecord(list, hexToBytes(id))
  if (record === undefined) return false
  const listed = changeNumberOf(list, record)
  return listed > change || (listed === change && variantOf(list, record) === variant)
}

/** Checks the beacon's round and returns its randomness, or undefined before it is published. */
async function checkBeacon(
  { source, fault, stop, found, verifyRound }: Checking,
  rules: DrawRules,
): Promise<Uint8Array | undefined> {
  const file = await source(roundFile, maxRoundBytes)
  if (file === undefined) return undefined
  found.state = 'drawn'
  if (file.length > maxRoundBytes) return stop('beacon-unreadable', `beacon.json has more than ${maxRoundBytes} bytes`)
  const read = readExactly(beaconRound, file)
  if (!read.ok) return stop('beacon-unreadable', `beacon.json: ${read.detail}`)
  const { round, randomness, signature } = read.value
  if (round !== rules.round) fault('beacon-round', `the round is ${round}, that of the rules ${rules.round}`)
  if (bytesToHex(sha256(hexToBytes(signature))) !== randomness)
    fault('beacon-randomness', 'the randomness is not the hash of the signature')
  if (verifyRound(rules.beacon, rules.round, signature) === undefined)
    fault('beacon-signature', `the signature is not that of round ${rules.round} by the key of the rules`)
  return hexToBytes(randomness)
}

type Deciding = Verified & { signed: SignedLine<DrawList>; result: DrawResult & { offeredAt: Map<number, number> } }

async function checkSteps(
  { source, fault, stop, known }: Checking,
  rules: DrawRules,
  { verify, signed, result }: Deciding,
): Promise<void> {
  const file = await source(stepsFile, maxStepsBytes)
  if (file !== undefined && file.length > maxStepsBytes)
    return stop('step-unreadable', `allocation.txt has more than ${maxStepsBytes} bytes`)
  const missing = new Set(known?.steps)
  for (const line of missing.size === 0 ? [] : iterateLines(file)) missing.delete(line)
  for (const seen of missing) fault('step-replaced', `the step ${lineHash(seen)} was seen and is not published`)
  let before: SignedLine<DrawList | DrawStep> = signed
  let number = 0
  for (const line of iterateLines(file)) {
    const step = readLine(stepLine, line)
    if (step === undefined) return stop('step-unreadable', `step ${number} is not one`)
    const { payload } = step
    if (!(await verify(step))) fault('step-signature', `step ${number} is not signed by the key of the rules`)
    if (payload.number !== number || payload.previous !== lineHash(before.line))
      fault('step-chain', `step ${number} does not follow the one before`)
    if (payload.at <= before.payload.at || (number === 0 && payload.events.length > 0))
      fault('step-order', `step ${number} is not later than the one before, or the first one has events`)
    applyStep({ ...payload, number }, rules, result, fault)
    before = step
    number += 1
  }
}

/** Applies the events of a step, and compares the result with the published one. */
function applyStep(
  { number, at, events, offered }: DrawStep,
  { claimWindowSeconds }: DrawRules,
  { allocation, offeredAt }: Deciding['result'],
  fault: Checking['fault'],
): void {
  for (const entry of number === 0 ? allocation.holds.keys() : []) offeredAt.set(entry, at)
  for (const { entry, reason } of events) {
    const made = allocation.release(entry)
    if (made === undefined) fault('step-event', `step ${number}: entry ${entry} holds no unit`)
    else if (reason === 'unclaimed' && at < (offeredAt.get(entry) ?? 0) + 1000 * claimWindowSeconds)
      fault('step-early', `step ${number} ends the offer of entry ${entry} before its time`)
    // Recorded at once: the next event of this step must not end one of these offers as unclaimed.
    for (const next of made ?? []) offeredAt.set(next, at)
  }
  const follows = allocation.offered()
  if (offered.join() !== follows.join())
    fault('offers-wrong', `after step ${number}, ${follows.join()} entries of each variant were offered a unit`)
}
