/**
 * What a draw signs: its list, steps and receipts, each a JWS in compact form (docs/reference/draw.md, "Signed lines"). Signing
 * is up to the shop; this reads and verifies, alike in Node and in a browser.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import { readJson, whole } from '../lib/parse.ts'
import { maxVariants } from '../sale/variants.ts'
import { maxRecords } from './list.ts'
import { anyWhole, type DrawKey, hashText, saleIdText } from './rules.ts'

const maxLineLength = 1_000_000

const list = /* @__PURE__ */ z.strictObject({
  rules: hashText,
  at: anyWhole,
  count: whole(0, maxRecords),
  root: hashText,
})

/** Why an entry gives its unit back. */
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

/** A kind of signed line: the `typ` of its header, so that it is taken for no other (RFC 8725, 3.11), and its schema. */
export type LineKind<T> = { typ: string; schema: z.ZodMiniType<T> }

export const listLine: LineKind<DrawList> = { typ: 'draw-list+jwt', schema: list }
export const stepLine: LineKind<DrawStep> = { typ: 'draw-step+jwt', schema: step }
export const receiptLine: LineKind<DrawReceipt> = { typ: 'draw-receipt+jwt', schema: receipt }

export type SignedLine<T> = { line: string; payload: T }

const shape = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/
const header = /* @__PURE__ */ z.strictObject({ alg: z.literal('ES256'), typ: z.string() })

/** The line as `kind`, its signature not verified, or undefined for any other text. */
export function readLine<T>(kind: LineKind<T>, line: string): SignedLine<T> | undefined {
  const [, headerPart, payloadPart] = (line.length <= maxLineLength && shape.exec(line)) || []
  if (headerPart === undefined || payloadPart === undefined) return undefined
  const [head, body] = [bytesOfBase64url(headerPart), bytesOfBase64url(payloadPart)]
  if (head === undefined || body === undefined) return undefined
  const [readHead, payload] = [readJson(header, head), readJson(kind.schema, body)]
  if (!readHead.ok || !payload.ok || readHead.value.typ !== kind.typ) return undefined
  return { line, payload: payload.value }
}

/** Bytes of base64url without padding; undefined for a length that none has. */
function bytesOfBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 === 1) return undefined
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}

/** Whether the signature of a line that was read is that of the key. */
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

/** Undefined for a point that is not on the curve. */
async function importKey({ kty, crv, x, y }: DrawKey) {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  try {
    return await crypto.subtle.importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify'])
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

/** The hash of a line, in hexadecimal, which the line behind it has as `previous`. */
export function lineHash(line: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(line)))
}

/** The lines of a file, none if it is empty or missing. What no line feed ends counts as an empty line, which is never read. */
export function lineTextsOf(bytes: Uint8Array | undefined): string[] {
  const lines = new TextDecoder('latin1').decode(bytes ?? new Uint8Array()).split('\n')
  return lines.pop() === '' ? lines : [...lines, '']
}
