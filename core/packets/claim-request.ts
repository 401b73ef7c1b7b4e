/**
 * The body of `POST /api/sales/{saleId}/packets`, parsed by the gate and the function with the same
 * code.
 */
import { type Entry, parseEntry } from '../buy/start-token.ts'
import { decodeJson } from '../lib/json.ts'
import type { Parsed } from '../lib/parse.ts'

/** The claim request in a JSON body, or its first fault, naming the field. */
export function readClaimRequest(body: string | Uint8Array): Parsed<Entry> {
  const decoded = decodeJson(body)
  return decoded.ok ? parseClaimRequest(decoded.value) : decoded
}

/** `value` as a claim request, or its first fault, naming the field. */
export function parseClaimRequest(value: unknown): Parsed<Entry> {
  return parseEntry(value, [])
}
