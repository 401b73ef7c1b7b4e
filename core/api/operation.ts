/**
 * One operation of the HTTP API: how it is called, and what it answers. Server and clients share the
 * table of operations (`operations.ts`), so that a call has one description.
 */
import type * as z from 'zod/mini'
import { type Parsed, parse } from '../lib/parse.ts'
import type { ProblemCode } from '../outcome.ts'
import type { Role } from '../roles.ts'
import type { Method } from './control-route.ts'

/** The header with which a part of a table names the `after` of the next part; absent on the last. */
export const nextHeader = 'x-sluice-next'

/**
 * `path` is a path such as `/api/control/sales/:saleId`; `params` reads its parameters as they came, not
 * decoded. `query` reads an object with the parameters of the query; one that is given twice is a list of
 * texts. `roles`: the caller needs one of them.
 *
 * `answer` describes a successful answer with `status`, 200 unless given, which is JSON unless `media` says
 * otherwise. A refusal is a problem document with one of the codes in `problems`.
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

/** An operation with the problem codes that it may answer: every one of the table. */
export type FullOperation = Operation & { problems: readonly ProblemCode[] }

/** The answer when the operation succeeds. */
export type AnswerOf<O extends Operation> = z.output<O['answer']>

/**
 * The operation's path for these parts, such as `{ saleId: 'mug' }`. The marks
 * `/:@|` stay: a block is addressed by its value as it is, and a range is two segments.
 */
export function pathFor({ path }: Operation, parts: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(parts[name] ?? '').replace(/%(?:2F|3A|40|7C)/g, decodeURIComponent),
  )
}

/** The same with a query, written so that the gate passes it: URLSearchParams leaves the asterisk as it is. */
export function addressFor(
  operation: Operation,
  parts: Readonly<Record<string, string>> | undefined,
  query: Readonly<Record<string, string>>,
): string {
  const search = String(new URLSearchParams(query)).replaceAll('*', '%2A')
  return `${pathFor(operation, parts)}${search === '' ? '' : `?${search}`}`
}

/** Returns the answer in `body`, with any members that a newer version of the API has added. */
export function readAnswer<O extends Operation>({ answer }: O, body: unknown): Parsed<AnswerOf<O>> {
  const parsed = parse(answer, body)
  return parsed.ok ? { ok: true, value: body as AnswerOf<O> } : parsed
}
