/**
 * Describes one operation of the HTTP API: its request and its answer. Server and clients share the table of operations
 * (`operations.ts`), so each call is described once.
 */
import type * as z from 'zod/mini'
import { type Parsed, parse } from '../lib/parse.ts'
import type { ProblemCode } from '../outcome.ts'
import type { Role } from '../roles.ts'
import type { Method } from './control-route.ts'

/** The header of a part of a table with the `after` of the next part; absent on the last. */
export const nextHeader = 'x-sluice-next'

/**
 * `path` is a path such as `/api/control/sales/:saleId`. `params` parses its parameters, which are not decoded. `query`
 * parses an object with the query parameters; a repeated parameter is a list of texts. The caller needs one of `roles`.
 *
 * `answer` describes a successful answer, with `status` 200 by default, as JSON unless `media` says otherwise. A rejection
 * is a problem document with one of the codes in `problems`.
 */
export type Operation = {
  method: Method
  path: string
  roles?: readonly Role[]
  params?: z.core.$ZodType
  query?: z.core.$ZodType
  body?: RequestBody
  status?: number
  media?: 'text/csv' | 'text/html'
  answer: z.core.$ZodType
  problems?: readonly ProblemCode[]
}

/** JSON of at most `maxBytes` that fits `schema`, or text without one. An absent `optional` body counts as `{}`. */
type RequestBody = { maxBytes: number; schema?: z.core.$ZodType; optional?: true }

/** An operation with the problem codes that it may answer, as in the table of operations. */
export type FullOperation = Operation & { problems: readonly ProblemCode[] }

/** The answer when the operation succeeds. */
export type AnswerOf<O extends Operation> = z.output<O['answer']>

/**
 * Returns the operation's path for these parameters, such as `{ saleId: 'mug' }`. `/:@|` are not encoded: the path of a
 * block has its plain value, and a range of addresses is two segments.
 */
export function pathFor({ path }: Operation, parts: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(parts[name] ?? '').replace(/%(?:2F|3A|40|7C)/g, decodeURIComponent),
  )
}

/** Returns `pathFor` with a query. It encodes the asterisk too, which URLSearchParams does not and the gate rejects. */
export function addressFor(
  operation: Operation,
  parts: Readonly<Record<string, string>> | undefined,
  query: Readonly<Record<string, string>>,
): string {
  const search = String(new URLSearchParams(query)).replaceAll('*', '%2A')
  return `${pathFor(operation, parts)}${search === '' ? '' : `?${search}`}`
}

/** Validates an answer and keeps members that a newer version of the API has added. */
export function readAnswer<O extends Operation>({ answer }: O, body: unknown): Parsed<AnswerOf<O>> {
  const parsed = parse(answer, body)
  return parsed.ok ? { ok: true, value: body as AnswerOf<O> } : parsed
}
