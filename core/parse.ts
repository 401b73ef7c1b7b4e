/**
 * One way to turn `unknown` into a domain type. The schemas carry their own sentences, so the answer to bad
 * input names the field and says what it must be, and nothing of the input is echoed back.
 */
import * as z from 'zod/mini'
import { decodeJson } from './json.ts'

export type Parsed<T> = { ok: true; value: T } | { ok: false; field: string; detail: string }

/** `input` as the schema's type, or the first thing wrong with it; `field` is a dotted path, `body` for the whole. */
export function parse<S extends z.core.$ZodType>(schema: S, input: unknown): Parsed<z.output<S>> {
  const result = (schema as unknown as { safeParse(i: unknown): SafeParse<z.output<S>> }).safeParse(input)
  if (result.success) return { ok: true, value: result.data }
  const issue = result.error.issues[0]
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys?.[0] : undefined
  const path = [...(issue?.path ?? []), ...(unknownKey === undefined ? [] : [unknownKey])]
  const field = path.length === 0 ? 'body' : path.map(String).join('.')
  const detail =
    unknownKey === undefined
      ? `${field} ${issue?.message ?? 'is not valid'}`
      : `${field} is not a known field`
  return { ok: false, field, detail }
}

/** JSON text, or its bytes in UTF-8, as the schema's type; what is not JSON, or not UTF-8, is a fault of `body`. */
export function readJson<S extends z.core.$ZodType>(
  schema: S,
  json: string | Uint8Array,
): Parsed<z.output<S>> {
  const decoded = decodeJson(json)
  return decoded.ok ? parse(schema, decoded.value) : decoded
}

type Issue = { code?: string; keys?: string[]; path: PropertyKey[]; message: string }
type SafeParse<T> = { success: true; data: T } | { success: false; error: { issues: Issue[] } }

/** Whatever `read` can read, such as an id by its parser; `message` says what it must be. */
export function readBy<T>(read: (value: unknown) => T | undefined, message: string) {
  return z.custom<T>((value) => read(value) !== undefined, message)
}

/** A JSON number that is a safe integer from `min` to `max`: no text, fraction, NaN or 1e99 (S2, S5). */
export function whole(min: number, max: number) {
  return z.number('must be a whole number').check(
    z.refine((n) => Number.isSafeInteger(n), 'must be a whole number'),
    z.gte(min, `must be at least ${min}`),
    z.lte(max, `must be at most ${max}`),
  )
}
