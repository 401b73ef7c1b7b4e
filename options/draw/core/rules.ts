/**
 * Reads and verifies the rules of a draw, which are published before its first entry, and its signed list, steps and
 * receipts, each a JWS in compact form (options/draw/docs/reference.md, "The rules", "Signed lines"). It runs in Node and in
 * browsers. `functions/` signs.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import { parseSaleId } from '../../../core/ids.ts'
import { decodeJson, decodeText } from '../../../core/lib/json.ts'
import { maxTime, type Parsed, parse, readBy, whole } from '../../../core/lib/parse.ts'
import { isVariantId, maxVariants } from '../../../core/sale/variants.ts'
import { maxRecords } from './list.ts'

export const maxRulesBytes = 65_536
const maxUnits = 10_000_000
const yearSeconds = 31_536_000

/** The file of the rules, in the folder of the draw. */
export const rulesFile = 'draw.json'

/** The list must be signed this many periods before its round. */
const periodsBeforeRound = 10

const text = (pattern: RegExp, message: string) => z.string(message).check(z.regex(pattern, message))
export const hashText = /* @__PURE__ */ text(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits')
export const hexText = /* @__PURE__ */ text(/^(?:[0-9a-f]{2}){1,256}$/, 'must be lower-case hexadecimal digits')
export const anyWhole = /* @__PURE__ */ whole(0, Number.MAX_SAFE_INTEGER)
const time = /* @__PURE__ */ whole(0, maxTime)
const saleIdText = /* @__PURE__ */ readBy(parseSaleId, 'must be the id of a sale')

const variant = /* @__PURE__ */ z.strictObject({
  id: z.optional(readBy((id) => (isVariantId(id) ? id : undefined), 'must be the id of a variant')),
  units: whole(0, maxUnits),
})

/**
 * The chain of a beacon. `hash` and `publicKey` are lower-case hex (32 bytes, and a compressed point of G2), `period` is in
 * seconds, and `genesis` is the time of round 1 in Unix seconds. `isLocal`: the key is on the machine that runs the sale, so
 * it proves nothing to others.
 */
export const beaconChain = /* @__PURE__ */ z.strictObject({
  hash: hashText,
  publicKey: hexText,
  period: whole(1, 3600),
  genesis: anyWhole,
  scheme: text(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a scheme'),
  isLocal: z.boolean(),
})

const coordinate = /* @__PURE__ */ text(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'must be 32 bytes in base64url')
const publicKey = /* @__PURE__ */ z.strictObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate,
  y: coordinate,
})

const rules = /* @__PURE__ */ z.strictObject({
  version: z.literal(1),
  sale: saleIdText,
  opensAt: time,
  closesAt: time,
  commitSeconds: whole(30, 86_400),
  round: anyWhole,
  beacon: beaconChain,
  variants: z.array(variant).check(z.minLength(1), z.maxLength(maxVariants)),
  claimWindowSeconds: whole(1, yearSeconds),
  minLevel: z.optional(whole(1, Number.MAX_SAFE_INTEGER)),
  key: publicKey,
})

export type DrawRules = z.output<typeof rules>
export type BeaconChain = DrawRules['beacon']
export type DrawKey = z.output<typeof publicKey>

/** Reads the rules from the bytes of `draw.json`. A fault names the field. */
export function readRules(bytes: Uint8Array): Parsed<DrawRules> {
  if (bytes.length > maxRulesBytes) {
    return { ok: false, field: 'body', detail: `body must be at most ${maxRulesBytes} bytes` }
  }
  const read = readExactly(rules, bytes)
  if (!read.ok) return read
  const { opensAt, closesAt, round, beacon, variants } = read.value
  const fault = (field: string, detail: string) => ({ ok: false as const, field, detail: `${field} ${detail}` })
  if (closesAt <= opensAt) return fault('closesAt', 'must be later than opensAt')
  if (timeOfRound(beacon, round) > maxTime) return fault('round', 'must come before the year 10000')
  const ids = new Set(variants.map(({ id }) => id))
  return ids.size === variants.length ? read : fault('variants', 'must have no id twice')
}

/**
 * Reads JSON that every parser reads the same way: no duplicate member, no escapes, and whole numbers as plain digits. No
 * text of a draw contains a space, so without spaces the bytes must equal the serialized value.
 */
export function readExactly<S extends z.ZodMiniType>(schema: S, bytes: Uint8Array): Parsed<z.output<S>> {
  const decoded = decodeJson(bytes)
  if (!decoded.ok) return decoded
  const read = parse(schema, decoded.value)
  if (!read.ok || decodeText(bytes)?.replaceAll(/[ \t\r\n]/g, '') === JSON.stringify(decoded.value)) return read
  return { ok: false, field: 'body', detail: 'body must have each member once, and no escapes, exponents or fractions' }
}

/** Returns the hash of the published file, by which list and seed refer to the rules. */
export function rulesHash(bytes: Uint8Array): Uint8Array {
  return sha256(bytes)
}

/** Returns when `round` is due, epoch ms. */
export function timeOfRound({ genesis, period }: BeaconChain, round: number): number {
  return (genesis + (round - 1) * period) * 1000
}

/** Returns the number of the deciding round: the last one that is public `commitSeconds` after the close; 0 before the first. */
export function roundOfDraw(rules: Pick<DrawRules, 'closesAt' | 'commitSeconds' | 'beacon'>): number {
  const { genesis, period } = rules.beacon
  return Math.max(0, Math.floor((rules.closesAt + 1000 * (rules.commitSeconds - genesis)) / (1000 * period)) + 1)
}

/** Returns the latest time (epoch ms) at which the list may be signed. */
export function lastListAt({ round, beacon }: Pick<DrawRules, 'round' | 'beacon'>): number {
  return timeOfRound(beacon, round - periodsBeforeRound)
}

export const maxLineLength = 1_000_000

const list = /* @__PURE__ */ z.strictObject({
  rules: hashText,
  at: anyWhole,
  count: whole(0, maxRecords),
  root: hashText,
})

/** Why the unit of an entry is returned. */
export const returnReasons = ['unclaimed', 'unpaid', 'cancelled', 'refunded'] as const

const event = /* @__PURE__ */ z.strictObject({ entry: anyWhole, reason: z.enum(returnReasons) })

const step = /* @__PURE__ */ z.strictObject({
  number: anyWhole,
  previous: hashText,
  at: anyWhole,
  events: z.array(event),
  offered: z.array(anyWhole),
})

const receipt = /* @__PURE__ */ z.strictObject({
  sale: saleIdText,
  rules: hashText,
  at: anyWhole,
  id: hashText,
  change: anyWhole,
  variant: whole(0, maxVariants),
})

export type DrawList = z.output<typeof list>
export type DrawStep = z.output<typeof step>
export type DrawEvent = z.output<typeof event>
export type DrawReceipt = z.output<typeof receipt>

/** A kind of signed line: its schema, and the `typ` of its header, which prevents confusion with other kinds (RFC 8725, 3.11). */
export type LineKind<T> = { typ: string; schema: z.ZodMiniType<T> }

export const listLine: LineKind<DrawList> = { typ: 'draw-list+jwt', schema: list }
export const stepLine: LineKind<DrawStep> = { typ: 'draw-step+jwt', schema: step }
export const receiptLine: LineKind<DrawReceipt> = { typ: 'draw-receipt+jwt', schema: receipt }

export type SignedLine<T> = { line: string; payload: T }

const shape = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/
const header = /* @__PURE__ */ z.strictObject({ alg: z.literal('ES256'), typ: z.string() })

/** Reads a line of `kind` without verifying its signature; undefined for any other text. */
export function readLine<T>(kind: LineKind<T>, line: string): SignedLine<T> | undefined {
  const [, headerPart, payloadPart] = (line.length <= maxLineLength && shape.exec(line)) || []
  if (headerPart === undefined || payloadPart === undefined) return undefined
  const [head, body] = [bytesOfBase64url(headerPart), bytesOfBase64url(payloadPart)]
  if (head === undefined || body === undefined) return undefined
  const [readHead, payload] = [readExactly(header, head), readExactly(kind.schema, body)]
  if (!readHead.ok || !payload.ok || readHead.value.typ !== kind.typ) return undefined
  return { line, payload: payload.value }
}

/** The last character of base64url by the length modulo four: unused bits must be 0. */
const lastOfBase64url = [/$/, /(?!)/, /[AQgw]$/, /[AEIMQUYcgkosw048]$/]

/** Decodes base64url without padding; undefined for invalid or non-canonical text. */
function bytesOfBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!lastOfBase64url[text.length % 4]?.test(text)) return undefined
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}

/** True when the signature of the line is that of the key. */
export type VerifyLine = (line: SignedLine<unknown>) => Promise<boolean>

export function lineVerifier(jwk: DrawKey): VerifyLine {
  const imported = importKey(jwk)
  return async ({ line }) => {
    const key = await imported
    const end = line.lastIndexOf('.')
    const signature = bytesOfBase64url(line.slice(end + 1))
    if (key === undefined || signature === undefined) return false
    const signed = new TextEncoder().encode(line.slice(0, end))
    return crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, signed)
  }
}

/** Imports a key; undefined for a point that is not on the curve. */
async function importKey({ kty, crv, x, y }: DrawKey) {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  try {
    return await crypto.subtle.importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify'])
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

/** Returns the hash of a line in hexadecimal, which is the `previous` of the next line. */
export function lineHash(line: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(line)))
}

const latin1 = /* @__PURE__ */ new TextDecoder('latin1')

/** Yields the lines of a file, none if it is empty or missing. A last line without a line feed counts as an empty line, which is unreadable. */
export function* iterateLines(bytes: Uint8Array = new Uint8Array()): Generator<string> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    yield end === -1 ? '' : latin1.decode(bytes.subarray(from, end))
    from = end === -1 ? bytes.length : end + 1
  }
}

export const fileLines = (bytes: Uint8Array | undefined): string[] => [...iterateLines(bytes)]
