/**
 * Publishes draws in memory: the files that a draw has, signed by a key of its own, from entries and what happens
 * after the draw. For tests, measurements and the second implementation.
 */
import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { type Allocation, allocate, type DrawOffer, offersHash } from '../../core/draw/allocation.ts'
import { localChain, messageOfRound } from '../../core/draw/beacon.ts'
import { hexOf } from '../../core/draw/bytes.ts'
import type { VerifyRound } from '../../core/draw/chain.ts'
import type { DrawSource } from '../../core/draw/check-draw.ts'
import { batchesOfJoining, partiesOf, rankParties, scorer, seedOfDraw } from '../../core/draw/ranking.ts'
import { recordBytes, type SortedRecords, sortRecords } from '../../core/draw/record.ts'
import { type DrawKey, type DrawRules, lastHeadAt, roundOfDraw, rulesHash } from '../../core/draw/rules.ts'
import { sha256 } from '../../core/draw/sha256.ts'
import {
  type DrawEvent,
  type DrawHead,
  type DrawReceipt,
  type DrawStep,
  headLine,
  lineHash,
  receiptLine,
  stepLine,
} from '../../core/draw/signed-line.ts'
import { leafHash, rootOfHashes, tilesFrom } from '../../core/draw/tree.ts'
import { parseSaleId } from '../../core/ids.ts'

/** The files of a draw by their paths. */
export type DrawFiles = Map<string, Uint8Array>

export type Signer = { key: DrawKey; privateKey: KeyObject }

/** A signer whose key follows from its name, so that the hash of the rules, and all that follows, can be repeated. */
export function signerOf(kid: string): Signer {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(sha256(text(kid)))
  const point = curve.getPublicKey()
  const part = (from: number) => point.subarray(from, from + 32).toString('base64url')
  const key = { kty: 'EC' as const, crv: 'P-256' as const, x: part(1), y: part(33) }
  const jwk = { ...key, d: curve.getPrivateKey('base64url') }
  return { key: { ...key, kid }, privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) }
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A signed line of the draw; another `typ` or `kid` makes one that is refused. */
export function signLine(
  { key, privateKey }: Signer,
  { typ }: { typ: string },
  payload: DrawHead | DrawStep | DrawReceipt,
): string {
  const signed = `${base64url({ alg: 'ES256', kid: key.kid, typ })}.${base64url(payload)}`
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

const { shortSignatures: bls } = bls12_381
const beaconKey = bls.keygen(new Uint8Array(48).fill(1))
const beaconChain = localChain({
  publicKey: beaconKey.publicKey.toHex(true),
  period: 3,
  genesis: 1_692_803_367,
})
const signatures = new Map<number, Uint8Array>()

/** The signature of a round of the beacon that tests use: the only one that verifies, so comparing it is enough. */
function testSignature(round: number): Uint8Array {
  const known = signatures.get(round)
  if (known !== undefined) return known
  const signature = bls.Signature.toBytes(bls.sign(messageOfRound(round), beaconKey.secretKey))
  signatures.set(round, signature)
  return signature
}

export const verifyTestRound: VerifyRound = (_chain, round, signature) =>
  hexOf(testSignature(round)) === signature ? { round } : undefined

const someSale = parseSaleId('a-draw')
if (someSale === undefined) throw new Error('a-draw is no sale id')

/** Rules with what tests rarely change; `round` follows. */
export function someRules(signer: Signer, changes: Partial<DrawRules> = {}): DrawRules {
  const rules = {
    version: 1 as const,
    sale: someSale as DrawRules['sale'],
    opensAt: 1_800_000_000_000,
    closesAt: 1_800_007_200_000,
    commitSeconds: 120,
    beacon: beaconChain,
    lateBeacon: 'wait' as const,
    variants: [{ units: 10 }],
    claimWindowSeconds: 600,
    mostInGroup: 6,
    mostTries: 1,
    earlier: [],
    ties: 'lowest-id' as const,
    groups: 'skip' as const,
    keys: [signer.key],
    ...changes,
  }
  return { round: roundOfDraw(rules), ...rules }
}

/** `batches` are the records between two heads, in any order of ids; `after` what happens at a time after the draw. */
export type DrawPlan = {
  signer: Signer
  rules: DrawRules
  batches: readonly (readonly Uint8Array[])[]
  after?: (allocation: Allocation, offers: readonly DrawOffer[]) => Iterable<{ afterMs: number; events: DrawEvent[] }>
  scoreBytes?: number
}

/** A published draw: its lines, the receipt of each record, and the offers that each step made. */
export type PublishedDraw = {
  files: DrawFiles
  heads: string[]
  steps: string[]
  receiptOf: (record: number) => string
  made: (readonly DrawOffer[])[]
  records: SortedRecords
}

const text = (value: string) => new TextEncoder().encode(value)

export const fileOfLines = (lines: readonly string[]) => text(lines.map((line) => `${line}\n`).join(''))

/** The list of all batches, each in the order of its ids. */
function listOf(batches: DrawPlan['batches']): Uint8Array[] {
  const idOf = (record: Uint8Array) => hexOf(record.subarray(0, 32))
  return batches.flatMap((batch) => batch.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : idOf(a) > idOf(b) ? 1 : 0)))
}

export async function publishDraw(plan: DrawPlan): Promise<PublishedDraw> {
  const { signer, rules, batches } = plan
  const files: DrawFiles = new Map([['draw.json', text(JSON.stringify(rules, undefined, 2))]])
  const hash = rulesHash(files.get('draw.json') ?? new Uint8Array())
  const records = listOf(batches)
  const leaves = Buffer.concat(records.map(leafHash))
  const heads: string[] = []
  const signed: { at: number; count: number }[] = []
  let count = 0
  let root: Uint8Array = new Uint8Array()
  const openMs = rules.closesAt - rules.opensAt
  for (const [number, batch] of batches.entries()) {
    count += batch.length
    root = rootOfHashes(leaves.subarray(0, 32 * count))
    const isClosing = number === batches.length - 1
    const at = isClosing
      ? Math.min(rules.closesAt + 5000, lastHeadAt(rules))
      : rules.opensAt + Math.floor((openMs * number) / batches.length)
    const previous = number === 0 ? hexOf(hash) : lineHash(heads.at(-1) ?? '')
    const payload = { number, previous, rules: hexOf(hash), at, count, root: hexOf(root), round: rules.round }
    heads.push(signLine(signer, headLine, { sale: rules.sale, ...payload }))
    signed.push({ at, count })
  }
  const roots: Uint8Array[] = []
  for await (const tile of tilesFrom(0, new Uint8Array(), records)) {
    files.set(`tiles/${tile.number}.bin`, tile.records)
    roots.push(tile.root)
  }
  files.set('heads.txt', fileOfLines(heads))
  files.set('tiles/roots.bin', new Uint8Array(Buffer.concat(roots)))
  const bytes = new Uint8Array(Buffer.concat(records))
  const counts = signed.map((head) => head.count)
  const drawn = drawnFiles(plan, { bytes, hash, root, counts, closing: heads.at(-1) ?? '' })
  for (const [path, content] of drawn.files) files.set(path, content)
  const receiptOf = (number: number) => {
    const record = records[number] ?? new Uint8Array()
    const names = { id: hexOf(record.subarray(0, 32)), leaf: hexOf(leafHash(record)) }
    // Entered right after the head before.
    const before = signed.findLast((head) => head.count <= number)?.at ?? rules.opensAt
    return signLine(signer, receiptLine, { sale: rules.sale, at: before + 1, ...names })
  }
  return { ...drawn, files, heads, receiptOf }
}

/** A list that its closing head has committed to. */
type CommittedList = {
  bytes: Uint8Array
  hash: Uint8Array
  root: Uint8Array
  /** The counts of all heads, for ranks by joining. */
  counts?: readonly number[]
  closing: string
}

/** What is published once the beacon's round is there: the round and the allocation. */
function drawnFiles(
  { signer, rules, after, scoreBytes }: Omit<DrawPlan, 'batches'>,
  { bytes, hash, root, counts = [], closing }: CommittedList,
): Omit<PublishedDraw, 'heads' | 'receiptOf'> {
  const signature = testSignature(rules.round)
  const randomness = sha256(signature)
  const beacon = { round: rules.round, randomness: hexOf(randomness), signature: hexOf(signature) }
  const seed = seedOfDraw(hash, root, randomness)
  const records = sortRecords({ bytes, count: bytes.length / recordBytes })
  const ranking = rankParties(partiesOf(records), scorer(seed, scoreBytes), {
    joinedIn: rules.ranks === 'joined' ? batchesOfJoining(records, counts) : undefined,
  })
  const allocation = allocate(
    ranking,
    rules.variants.map(({ units }) => units),
  )
  const steps: string[] = []
  const made: (readonly DrawOffer[])[] = []
  const offers: DrawOffer[] = []
  let [previous, at] = [closing, rules.closesAt + 1000 * rules.commitSeconds]
  const publish = (events: DrawEvent[], more: readonly DrawOffer[]) => {
    offers.push(...more)
    made.push(more)
    const facts = { offers: more.length, offersHash: offersHash(more), threshold: allocation.threshold() }
    const payload = { number: steps.length, previous: lineHash(previous), at, events, ...facts }
    previous = signLine(signer, stepLine, { sale: rules.sale, ...payload })
    steps.push(previous)
  }
  publish([], allocation.first)
  for (const { afterMs, events } of after?.(allocation, offers) ?? []) {
    at += afterMs
    const more = events.map((event) =>
      'variant' in event ? allocation.add(event.variant, event.units) : allocation.giveBack(event.entry),
    )
    publish(
      events,
      more.flatMap((some) => some ?? []),
    )
  }
  const files: DrawFiles = new Map([
    ['beacon.json', text(JSON.stringify(beacon))],
    ['allocation.txt', fileOfLines(steps)],
  ])
  return { files, steps, made, records }
}

/** The files as a source; those of earlier draws by the id of their sale. */
export function sourceOf(files: DrawFiles, earlier: ReadonlyMap<string, DrawFiles> = new Map()): DrawSource {
  return async (path) => {
    const [, sale = '', rest = ''] = /^\.\.\/([^/]+)\/(.+)$/.exec(path) ?? []
    return rest === '' ? files.get(path) : earlier.get(sale)?.get(rest)
  }
}
