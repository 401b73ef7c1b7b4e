/** The rules of a draw, which are published before its first entry (docs/reference/draw.md, "The rules"). */
import { sha256 } from '@noble/hashes/sha2.js'
import * as z from 'zod/mini'
import { parseSaleId } from '../ids.ts'
import { type Parsed, readBy, readJson, whole } from '../lib/parse.ts'
import { isVariantId, maxVariants } from '../sale/variants.ts'

const maxRulesBytes = 65_536
const maxUnits = 10_000_000
const yearSeconds = 31_536_000

/** The file of the rules, in the folder of the draw. */
export const rulesFile = 'draw.json'

/** How long before its round the list must be signed. */
const periodsBeforeRound = 10

const text = (pattern: RegExp, message: string) => z.string(message).check(z.regex(pattern, message))
export const hashText = /* @__PURE__ */ text(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits')
export const hexText = /* @__PURE__ */ text(/^(?:[0-9a-f]{2}){1,256}$/, 'must be lower-case hexadecimal digits')
export const anyWhole = /* @__PURE__ */ whole(0, Number.MAX_SAFE_INTEGER)
export const saleIdText = /* @__PURE__ */ readBy(parseSaleId, 'must be the id of a sale')

const variant = /* @__PURE__ */ z.strictObject({
  id: z.optional(readBy((id) => (isVariantId(id) ? id : undefined), 'must be the id of a variant')),
  units: whole(0, maxUnits),
})

/**
 * The chain of a beacon. `hash` and `publicKey` are lower-case hex (32 bytes, and a compressed point of G2), `period` seconds,
 * and `genesis` the time of round 1 in Unix seconds. `isLocal`: its key belongs to the machine that runs the sale, so it proves
 * nothing to others.
 */
export const beaconChain = /* @__PURE__ */ z.strictObject({
  hash: hashText,
  publicKey: hexText,
  period: whole(1, 3600),
  genesis: anyWhole,
  scheme: text(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a scheme'),
  isLocal: z.boolean(),
})

const coordinate = /* @__PURE__ */ text(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url')
const publicKey = /* @__PURE__ */ z.strictObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate,
  y: coordinate,
})

const rules = /* @__PURE__ */ z.strictObject({
  version: z.literal(1),
  sale: saleIdText,
  opensAt: anyWhole,
  closesAt: anyWhole,
  commitSeconds: whole(30, 86_400),
  round: anyWhole,
  beacon: beaconChain,
  variants: z.array(variant).check(z.minLength(1), z.maxLength(maxVariants)),
  claimWindowSeconds: whole(1, yearSeconds),
  key: publicKey,
})

export type DrawRules = z.output<typeof rules>
export type BeaconChain = DrawRules['beacon']
export type DrawKey = z.output<typeof publicKey>

/** The rules in the bytes of `draw.json`. A fault names the field. */
export function readRules(bytes: Uint8Array): Parsed<DrawRules> {
  if (bytes.length > maxRulesBytes) {
    return { ok: false, field: 'body', detail: `body must be at most ${maxRulesBytes} bytes` }
  }
  const read = readJson(rules, bytes)
  if (!read.ok) return read
  const { opensAt, closesAt } = read.value
  return opensAt < closesAt ? read : { ok: false, field: 'closesAt', detail: 'closesAt must be later than opensAt' }
}

/** The hash by which list and seed name the rules: that of the file as it was published. */
export function rulesHash(bytes: Uint8Array): Uint8Array {
  return sha256(bytes)
}

/** When `round` is due, epoch ms. */
export function timeOfRound({ genesis, period }: BeaconChain, round: number): number {
  return (genesis + (round - 1) * period) * 1000
}

/** The number of the round that decides: the last one that is public `commitSeconds` after the close; 0 before the first. */
export function roundOfDraw(rules: Pick<DrawRules, 'closesAt' | 'commitSeconds' | 'beacon'>): number {
  const { genesis, period } = rules.beacon
  return Math.max(0, Math.floor((rules.closesAt + 1000 * (rules.commitSeconds - genesis)) / (1000 * period)) + 1)
}

/** The latest time (epoch ms) at which the list may be signed. */
export function lastListAt({ round, beacon }: Pick<DrawRules, 'round' | 'beacon'>): number {
  return timeOfRound(beacon, round - periodsBeforeRound)
}
