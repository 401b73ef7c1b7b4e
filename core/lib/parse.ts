/** Parses `unknown` into a domain type. Faults name the field and the rule, never the input. */
import * as z from 'zod/mini'
import { decodeJson } from './json.ts'

/** `detail` is about `field`. `fields` lists all invalid fields if there are several. */
type ParseFault = { ok: false; field: string; detail: string; fields?: readonly string[] }

export type Parsed<T> = { ok: true; value: T } | ParseFault

/** Returns `input` as the schema's type, or its first fault. A field is a dotted path, or `body` for the whole input. */
export function parse<S extends z.core.$ZodType>(schema: S, input: unknown): Parsed<z.output<S>> {
  const result = z.safeParse(schema, input)
  if (result.success) return { ok: true, value: result.data }
  const { issues } = result.error
  const fields = [...new Set(issues.flatMap(fieldsOf))]
  const [field = 'body'] = fields
  const [detail = `${field} is not valid`] = issues.flatMap(detailsOf)
  return { ok: false, field, detail, ...(fields.length > 1 && { fields }) }
}

/** Returns all faults of `input`, each with its field and rule; an empty list for valid input. */
export function detailsOfFaults(schema: z.core.$ZodType, input: unknown): string[] {
  const result = z.safeParse(schema, input)
  return result.success ? [] : [...new Set(result.error.issues.flatMap(detailsOf))]
}

const detailsOf = (issue: Issue): string[] =>
  fieldsOf(issue).map(
    (field) => `${field} ${issue.code === 'unrecognized_keys' ? 'is not a known field' : issue.message}`,
  )

function fieldsOf({ code, keys, path }: Issue): string[] {
  const paths = code === 'unrecognized_keys' && keys ? keys.map((key) => [...path, key]) : [path]
  return paths.map((one) => (one.length === 0 ? 'body' : one.map(shownName).join('.')))
}

/** Removes control characters: the name of an unknown field may be any text, and terminals would interpret them. */
const shownName = (name: PropertyKey) => String(name).replace(/\p{C}/gu, '\ufffd')

/** Parses JSON text or its UTF-8 bytes into the schema's type. The fault of other text and bytes names `body`. */
export function readJson<S extends z.core.$ZodType>(schema: S, json: string | Uint8Array): Parsed<z.output<S>> {
  const decoded = decodeJson(json)
  return decoded.ok ? parse(schema, decoded.value) : decoded
}

type Issue = { code?: string; keys?: string[]; path: PropertyKey[]; message: string }

/** The parser that a custom check of a schema uses. The description of the API looks it up here. */
export const parserOf = /* @__PURE__ */ new WeakMap<object, unknown>()

function withParser<F extends object>(used: F, parser: unknown): F {
  parserOf.set(used, parser)
  return used
}

/** The latest valid time, epoch ms: the end of the year 9999, so that every time can be formatted. */
export const maxTime = 253_402_300_799_999

/** Returns a schema that validates with a parser such as that of an id, and keeps the value; `parsedBy` converts it. */
export function readBy<T>(read: (value: unknown) => T | undefined, message: string) {
  return z.custom<T>(
    withParser((value: unknown) => read(value) !== undefined, read),
    message,
  )
}

/** Returns a schema that converts a text with `read`. `message` says what the text must be. */
export function parsedBy<T>(read: (text: string) => T | undefined, message: string) {
  return z.pipe(
    z.string(message),
    z.transform(
      withParser((text: string, { issues }: { issues: z.core.$ZodRawIssue[] }): T => {
        const parsed = read(text)
        if (parsed !== undefined) return parsed
        issues.push({ code: 'custom', message, input: text })
        return z.NEVER
      }, read),
    ),
  )
}

/**
 * Returns the schema of a JSON number that is a safe integer from `min` to `max`: no text, fraction, NaN or 1e99 (S2, S5).
 */
export function whole(min: number, max: number) {
  return z.number('must be a whole number').check(
    z.refine((n) => Number.isSafeInteger(n), 'must be a whole number'),
    z.gte(min, `must be at least ${min}`),
    z.lte(max, `must be at most ${max}`),
  )
}
