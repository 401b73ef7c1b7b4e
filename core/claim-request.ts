/** The body of `POST /api/sales/{saleId}/packets`, read by the gate and the function with the same code. */
import { type Entry, parseEntry } from './entry.ts'
import { decodeJson } from './json.ts'
import type { Parsed } from './parse.ts'

/** The claim in the JSON of a body, or the first thing wrong with it, naming the field. */
export function readClaimRequest(body: string | Uint8Array): Parsed<Entry> {
  const decoded = decodeJson(body)
  return decoded.ok ? parseEntry(decoded.value, []) : decoded
}
