/**
 * Refusals in CloudFront's form. Those that say the same to everybody are built once and shared: the losing
 * crowd costs a map lookup each, and no Request, Response or URL is made for it.
 */
import { type Problem, type ProblemCode, type ProblemFacts, problem } from '../core/outcome.ts'
import type { EdgeHeaders, EdgeResponse } from './cloudfront.ts'

/**
 * The headers every refusal carries, plus Retry-After (seconds) where the problem names one. By `x-sluice-gate` the page
 * knows that its click went no further, so that it need not look for an order.
 */
export function problemHeaders(refusal: Problem): Record<string, string> {
  return {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-sluice-gate': 'refused',
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

/** Seconds to tell a refused crowd, from 1 to `most`: not all of it shall come back in the same second (I6). */
export function secondsToWait(most: number): number {
  return 1 + Math.floor(Math.random() * most)
}

/** Makes 503s that differ in `Retry-After` alone, 1 to `most` seconds, each of them built once. */
export function prebuiltUnavailable(detail: string, most: number): () => EdgeResponse {
  const retryIn = (retryAfterSeconds: number) => prebuiltProblem('unavailable', detail, { retryAfterSeconds })
  const longest = retryIn(most)
  const answers = Array.from({ length: most }, (_, index) =>
    index + 1 < most ? retryIn(index + 1) : longest,
  )
  return () => answers[secondsToWait(most) - 1] ?? longest
}

/** The longest wait, in seconds, that anybody is told when the gate cannot know. */
export const mostSecondsToWait = 3
export const inAMoment = 'Try again in a moment.'

export const unavailable = prebuiltUnavailable(inAMoment, mostSecondsToWait)

function edgeHeaders(headers: Record<string, string>): EdgeHeaders {
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, [{ key, value }]]))
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(value)
}
