/**
 * One operation of the HTTP API: how it is called, and the schema of its answer. Server and clients
 * share the table of operations, so that an answer has one description.
 */
import type * as z from 'zod/mini'
import { type Parsed, parse } from '../lib/parse.ts'

/**
 * `path` is a URLPattern path such as `/api/control/sales/:saleId`. `answer` describes a
 * successful answer with `status`, 200 unless given, which is JSON unless `media` says otherwise.
 * Refusals are problem documents.
 */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  status?: number
  media?: 'text/csv'
  answer: z.core.$ZodType
}

/** What the operation answers when it succeeds. */
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

/** The answer in `body`, with any members that a newer version of the API has added. */
export function readAnswer<O extends Operation>({ answer }: O, body: unknown): Parsed<AnswerOf<O>> {
  const parsed = parse(answer, body)
  return parsed.ok ? { ok: true, value: body as AnswerOf<O> } : parsed
}
