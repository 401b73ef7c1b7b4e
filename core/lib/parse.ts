/** Parses `unknown` into a domain type. Answers to bad input name the field and the rule, and never the input. */
import * as z from 'zod/mini'
import { decodeJson } from './json.ts'

/** `detail` is about `field`; `fields` are all that are wrong, where there are several. */
type ParseFault = { ok: false; field: string; detail: string; fields?: readonly string[] }

export type Parsed<T> = { ok: true; value: T } | ParseFault

/** `input` as the schema's type, or its first fault; a field is a dotted path, `body` for the whole. */
export function parse<S extends z.core.$ZodType>(schema: S, input: unknown): Parsed<z.output<S>> {
  const result = z.safeParse(schema, input)
  if (result.success) return { ok: true, value: result.data }
  const { issues } = result.error
  const fields = [...new Set(issues.flatMap(fieldsOf))]
  const [field = 'body'] = fields
  const [detail = `${field} is not valid`] = issues.flatMap(detailsOf)
  return { ok: false, field, detail, ...(fields.length > 1 && { fields }) }
}

/** Returns all faults of `input`, each as the path of its field and what it must be; none of what the schema takes. */
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

/** A name that nobody knows may be any text, and a terminal must not obey it. */
const shownName = (name: PropertyKey) => String(name).replace(/\p{C}/gu, '\ufffd')

/** JSON text, or its bytes in UTF-8, as the schema's type; what is not JSON, or not UTF-8, is a fault of `body`. */
export function readJson<S extends z.core.$ZodType>(schema: S, json: string | Uint8Array): Parsed<z.output<S>> {
  const decoded = decodeJson(json)
  return decoded.ok ? parse(schema, decoded.value) : decoded
}

type Issue = { code?: string; keys?: string[]; path: PropertyKey[]; message: string }
type Context = { issues: z.core.$ZodRawIssue[] }

/** The parser behind a function of a schema, by which the description of the API knows what the schema takes. */
export const parserOf = /* @__PURE__ */ new WeakMap<object, unknown>()

function withParser<F extends object>(used: F, parser: unknown): F {
  parserOf.set(used, parser)
  return used
}

/** Latest time accepted anywhere, epoch ms: the year 9999, so that every time can be printed. */
export const maxTime = 253_402_300_799_999

/** Returns a schema that accepts what `read` does, such as an id's parser, and keeps the value as it is; `parsedBy` converts. `message` says what the value must be. */
export function readBy<T>(read: (value: unknown) => T | undefined, message: string) {
  return z.custom<T>(
    withParser((value: unknown) => read(value) !== undefined, read),
    message,
  )
}

/** Returns a schema that accepts a text from which `read` makes the value. `message` says what the text must be. */
export function parsedBy<T>(read: (text: string) => T | undefined, message: string) {
  return z.pipe(
    z.string(message),
    z.transform(
      withParser((text: string, { issues }: Context): T => {
        const parsed = read(text)
        if (parsed !== undefined) return parsed
        issues.push({ code: 'custom', message, input: text })
        return z.NEVER
      }, read),
    ),
  )
}

/**
 * A JSON number that is a safe integer from `min` to `max`: no text, fraction, NaN or 1e99 (S2,
 * S5).
 */
export function whole(min: number, max: number) {
  return z.number('must be a whole number').check(
    z.refine((n) => Number.isSafeInteger(n), 'must be a whole number'),
    z.gte(min, `must be at least ${min}`),
    z.lte(max, `must be at most ${max}`),
  )
}
