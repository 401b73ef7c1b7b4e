/**
 * The body of `POST /api/sales/{saleId}/packets`, parsed by the gate and the function with the same
 * code.
 */
import { type Entry, parseEntry } from './entry.ts'
import { decodeJson } from './json.ts'
import type { Parsed } from './parse.ts'

/** The claim request in a JSON body, or its first fault, naming the field. */
export function readClaimRequest(body: string | Uint8Array): Parsed<Entry> {
  const decoded = decodeJson(body)
  return decoded.ok ? parseEntry(decoded.value, []) : decoded
}
