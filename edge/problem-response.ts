/**
 * Refusals in CloudFront's form. Those that say the same to everybody are built once and shared: the losing
 * crowd costs a map lookup each, and no Request, Response or URL is made for it.
 */
import { type Problem, type ProblemCode, type ProblemFacts, problem } from '../core/outcome.ts'
import type { EdgeHeaders, EdgeResponse } from './cloudfront.ts'

/** The headers every refusal carries, plus Retry-After (seconds) where the problem names one. */
export function problemHeaders(refusal: Problem): Record<string, string> {
  return {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(refusal.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(refusal.retryAfterSeconds === undefined ? {} : { 'retry-after': String(refusal.retryAfterSeconds) }),
  }
}

/** A frozen answer, to be built once at module level and returned to every request it fits. */
export function prebuiltProblem(
  code: ProblemCode,
  detail: string,
  facts: ProblemFacts = {},
  moreHeaders: Record<string, string> = {},
): EdgeResponse {
  const refusal = problem(code, detail, facts)
  const headers = edgeHeaders({ ...problemHeaders(refusal), ...moreHeaders })
  return deepFreeze({
    status: String(refusal.status),
    headers,
    body: JSON.stringify(refusal),
    bodyEncoding: 'text',
  })
}

/** Makes the answer "not started" with the server's clock in it, by joining text around one number. */
export function prebuiltNotStarted(): (now: number) => EdgeResponse {
  const { status, headers, body } = prebuiltProblem(
    'not-started',
    'Wait for the start; the button lights by itself.',
  )
  const head = `${body.slice(0, -1)},"now":`
  return (now) => ({ status, headers, body: `${head}${now}}`, bodyEncoding: 'text' })
}

/** One of three prebuilt 503s, so that a crowd told to come back does not come back in one second (I6). */
export function unavailable(): EdgeResponse {
  return retryIn[Math.floor(Math.random() * retryIn.length)] ?? retryInThree
}

const unavailableIn = (retryAfterSeconds: number) =>
  prebuiltProblem('unavailable', 'Try again in a moment.', { retryAfterSeconds })
const retryInThree = unavailableIn(3)
const retryIn = [unavailableIn(1), unavailableIn(2), retryInThree]

export function edgeHeaders(headers: Record<string, string>): EdgeHeaders {
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, [{ key, value }]]))
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(value)
}
