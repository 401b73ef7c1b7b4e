/** Answers of a function URL. Problems are RFC 9457 documents; no answer may be cached. */
import type { AnswerOf, Operation } from '../../../core/api/operation.ts'
import { type Problem, problem } from '../../../core/outcome.ts'
import { type Role, roleDetail } from '../../../core/roles.ts'

/** `cookies` are the texts of Set-Cookie headers, of which an answer may have several. */
export type HttpAnswer = {
  statusCode: number
  headers: Record<string, string>
  body: string
  cookies?: readonly string[]
}

export function jsonAnswer(statusCode: number, value: unknown): HttpAnswer {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  }
}

/** Returns the answer of an operation that succeeded. */
export function answerOf<O extends Operation>({ status = 200 }: O, answer: AnswerOf<O>): HttpAnswer {
  return jsonAnswer(status, answer)
}

/** Returns the problem as an answer; its `retryAfterSeconds` becomes the Retry-After header. */
export function problemAnswer(document: Problem, extraHeaders: Record<string, string> = {}): HttpAnswer {
  const headers: Record<string, string> = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...extraHeaders,
  }
  if (document.retryAfterSeconds !== undefined) headers['retry-after'] = String(document.retryAfterSeconds)
  return { statusCode: document.status, headers, body: JSON.stringify(document) }
}

/** Answers 400 and names the field, and all `fields` when several are wrong. */
export function invalid(field: string, detail: string, fields?: readonly string[]): HttpAnswer {
  return problemAnswer(problem('invalid-request', detail, { field, ...(fields && { fields }) }))
}

/** Answers 503 with one to three seconds of Retry-After, so that rejected clients do not all retry at once. */
export function unavailable(): HttpAnswer {
  const retryAfterSeconds = 1 + Math.floor(Math.random() * 3)
  return problemAnswer(
    problem('unavailable', 'Part of the service isn’t responding. Try again in a moment.', { retryAfterSeconds }),
  )
}

export function notFound(): HttpAnswer {
  return problemAnswer(problem('not-found', 'Not found, or not yours.'))
}

export function methodNotAllowed(allowed: readonly string[]): HttpAnswer {
  const allow = allowed.join(', ')
  return problemAnswer(problem('method-not-allowed', `This address answers ${allow}.`), { allow })
}

/** Answers a caller who has none of the roles in `needed`. */
export function roleRequired(needed: readonly Role[]): HttpAnswer {
  return problemAnswer(problem('role-required', roleDetail(needed), { roles: needed }))
}
