/** Publishes draws in memory: their files, signed by a key of their own, of random entrants and of units that come back. */
import { createECDH, createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { parseSaleId } from '../../../../core/ids.ts'
import type { Random } from '../../../../proof/simulation/engine/random.ts'
import { localChain, messageOfRound } from '../../core/beacon.ts'
import {
  type DrawSource,
  type KnownOfDraw,
  listFile,
  roundFile,
  signedListFile,
  stepsFile,
  type VerifyRound,
} from '../../core/check-draw.ts'
import {
  allocate,
  type DrawQueues,
  listOf,
  type RecordList,
  rankEntries,
  recordOf,
  rootOf,
  seedOfDraw,
} from '../../core/list.ts'
import {
  type DrawEvent,
  type DrawKey,
  type DrawList,
  type DrawReceipt,
  type DrawRules,
  type DrawStep,
  lineHash,
  listLine,
  receiptLine,
  returnReasons,
  roundOfDraw,
  rulesFile,
  rulesHash,
  stepLine,
} from '../../core/rules.ts'

/** The files of a draw by their paths. */
export type DrawFiles = Map<string, Uint8Array>

export type Signer = { key: DrawKey; privateKey: KeyObject }

export const sha256 = (bytes: Uint8Array | string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes).digest())
export const textBytes = (value: string) => new TextEncoder().encode(value)
export const fileOfLines = (lines: readonly string[]) => textBytes(lines.map((line) => `${line}\n`).join(''))

/** A signer whose key follows from its name, so that the hash of the rules, and all that follows, can be repeated. */
export function signerOf(name: string): Signer {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(sha256(name))
  const point = curve.getPublicKey()
  const part = (from: number) => point.subarray(from, from + 32).toString('base64url')
  const key = { kty: 'EC' as const, crv: 'P-256' as const, x: part(1), y: part(33) }
  return { key, privateKey: createPrivateKey({ key: { ...key, d: curve.getPrivateKey('base64url') }, format: 'jwk' }) }
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A signed line of the draw; another `typ` makes one that is refused. */
export function signLine(
  { privateKey }: Signer,
  { typ }: { typ: string },
  payload: DrawList | DrawStep | DrawReceipt,
): string {
  const signed = `${base64url({ alg: 'ES256', typ })}.${base64url(payload)}`
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

const { shortSignatures: bls } = bls12_381
const beaconKey = bls.keygen(new Uint8Array(48).fill(1))
const beaconChain = localChain({ publicKey: beaconKey.publicKey.toHex(true), period: 3, genesis: 1_692_803_367 })
const signatures = new Map<number, string>()

/** The signature of a round of the beacon that tests use: the only one that verifies, so comparing it is enough. */
function testSignature(round: number): string {
  const known = signatures.get(round) ?? bls.Signature.toHex(bls.sign(messageOfRound(round), beaconKey.secretKey))
  signatures.set(round, known)
  return known
}

export const verifyTestRound: VerifyRound = (_chain, round, signature) =>
  testSignature(round) === signature ? { round } : undefined

/** Rules with what tests rarely change; `round` follows. */
export function someRules({ key }: Signer, changes: Partial<DrawRules> = {}): DrawRules {
  const rules = {
    version: 1 as const,
    sale: parseSaleId('a-draw') ?? failed(),
    opensAt: 1_800_000_000_000,
    closesAt: 1_800_007_200_000,
    commitSeconds: 120,
    beacon: beaconChain,
    variants: [{ units: 10 }],
    claimWindowSeconds: 600,
    key,
    ...changes,
  }
  return { round: roundOfDraw(rules), ...rules }
}

function failed(): never {
  throw new Error('a-draw is no sale id')
}

/** `steps` are the events of each step after the first. */
export type DrawPlan = {
  signer: Signer
  rules: DrawRules
  records: readonly Uint8Array[]
  steps: readonly DrawEvent[][]
  listedAt?: number
}

export type PublishedDraw = {
  plan: DrawPlan
  files: DrawFiles
  list: RecordList
  queues: DrawQueues
  /** The signed list, the steps, and a receipt of each record: what a reader may have kept. */
  kept: Required<Omit<KnownOfDraw, 'rules'>>
}

export function publishDraw(plan: DrawPlan): PublishedDraw {
  const { signer, rules, records } = plan
  const file = textBytes(JSON.stringify(rules, undefined, 2))
  const list = listOf(records)
  const root = rootOf(list)
  const listedAt = plan.listedAt ?? rules.closesAt + 5000
  const listed = { rules: bytesToHex(rulesHash(file)), at: listedAt, count: list.count, root: bytesToHex(root) }
  const signed = signLine(signer, listLine, listed)
  const signature = testSignature(rules.round)
  const randomness = sha256(hexToBytes(signature))
  const queues = rankEntries(list, rules.variants.length, seedOfDraw(rulesHash(file), root, randomness))
  const allocation = allocate(
    list,
    queues,
    rules.variants.map(({ units }) => units),
  )
  const steps: string[] = []
  for (const [number, events] of [[], ...plan.steps].entries()) {
    for (const { entry } of events) allocation.release(entry)
    const at = rules.closesAt + 1000 * (rules.commitSeconds + number * rules.claimWindowSeconds)
    const previous = lineHash(steps.at(-1) ?? signed)
    steps.push(signLine(signer, stepLine, { number, previous, at, events, offered: allocation.offered() }))
  }
  const receipts = records.map((record) => {
    const [id, change = 0, variant = 0] = [bytesToHex(record.subarray(0, 32)), ...record.subarray(32)]
    return signLine(signer, receiptLine, {
      sale: rules.sale,
      rules: bytesToHex(rulesHash(file)),
      at: rules.opensAt + 1,
      id,
      change,
      variant,
    })
  })
  const beacon = { round: rules.round, randomness: bytesToHex(randomness), signature }
  const files = new Map([
    [rulesFile, file],
    [listFile, list.bytes],
    [signedListFile, fileOfLines([signed])],
    [roundFile, textBytes(JSON.stringify(beacon))],
    [stepsFile, fileOfLines(steps)],
  ])
  return { plan, files, list, queues, kept: { lists: [signed], steps, receipts } }
}

/** The id of the entrant with this number, the same in all draws. */
export const idOfEntrant = (entrant: number) => sha256(`entrant ${entrant}`)

/** A draw of so many entrants, of whom some left and some changed, and of units that come back. */
export function randomDraw(random: Random, entrants: number, changes: Partial<DrawRules> = {}): PublishedDraw {
  const signer = signerOf('test-1')
  const count = random.whole(1, 4)
  const variants = Array.from({ length: count }, (_, n) => ({
    ...(count > 1 && { id: `v${n + 1}` }),
    units: random.whole(0, Math.ceil(entrants / 2 / count)),
  }))
  const rules = someRules(signer, { variants, ...changes })
  const records = Array.from({ length: entrants }, (_, n) =>
    recordOf({
      id: idOfEntrant(n),
      change: random.whole(1, 3),
      variant: random.chance(0.1) ? 0 : random.whole(1, rules.variants.length),
    }),
  )
  const plan = { signer, rules, records, steps: [] }
  const { list, queues } = publishDraw(plan)
  const allocation = allocate(
    list,
    queues,
    rules.variants.map(({ units }) => units),
  )
  const steps = Array.from({ length: random.whole(0, 4) }, () => {
    const holding = [...allocation.holds].filter(([, holds]) => holds && random.chance(0.4)).slice(0, 20)
    for (const [entry] of holding) allocation.release(entry)
    return holding.map(([entry]) => ({ entry, reason: random.pick(returnReasons) }))
  })
  return publishDraw({ ...plan, steps })
}

export const sourceOf =
  (files: DrawFiles): DrawSource =>
  async (path) =>
    files.get(path)
