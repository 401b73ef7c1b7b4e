/**
 * Refusals in CloudFront's form. Those that say the same to everybody are built once and shared: the losing
 * crowd costs a map lookup each, and no Request, Response or URL is made for it.
 */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../core/ids.ts'
import { ordersLookup, walletLookup } from '../core/lookup.ts'
import { type Problem, type ProblemCode, type ProblemFacts, problem } from '../core/outcome.ts'
import type { SaleKind } from '../core/sale.ts'
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

/** Sales whose refusals are kept; any other sale's is built again. */
const maxSales = 1000

/**
 * Makes a refusal that ends a purchase, built once for each sale. It names where the shopper finds what an earlier request won,
 * which the gate does not know.
 */
export function prebuiltFinal(
  code: ProblemCode,
  detail: string,
  facts: ProblemFacts = {},
): (kind: SaleKind, saleId: SaleId) => EdgeResponse {
  const build = (lookup: string) => prebuiltProblem(code, detail, { ...facts, lookup })
  const ofPackets = build(walletLookup)
  const ofOrders = new QuickLRU<SaleId, EdgeResponse>({ maxSize: maxSales })
  return (kind, saleId) => {
    if (kind === 'red-packet') return ofPackets
    const known = ofOrders.get(saleId)
    if (known !== undefined) return known
    const answer = build(ordersLookup(saleId))
    ofOrders.set(saleId, answer)
    return answer
  }
}

/** Seconds to tell a refused crowd, from 1 to `most`: not all of it shall come back in the same second (I6). */
export function secondsToWait(most: number): number {
  return 1 + Math.floor(Math.random() * most)
}

/** Makes refusals that differ in `Retry-After` alone, 1 to `most` seconds, each of them built once. */
export function prebuiltRetries(
  code: ProblemCode,
  detail: string,
  most: number,
): (seconds: number) => EdgeResponse {
  const retryIn = (retryAfterSeconds: number) => prebuiltProblem(code, detail, { retryAfterSeconds })
  const longest = retryIn(most)
  const answers = Array.from({ length: most }, (_, index) =>
    index + 1 < most ? retryIn(index + 1) : longest,
  )
  return (seconds) => answers[seconds - 1] ?? longest
}

/** The longest wait, in seconds, that anybody is told when the gate cannot know. */
export const mostSecondsToWait = 3
export const inAMoment = 'Try again in a moment.'

const unavailableFor = prebuiltRetries('unavailable', inAMoment, mostSecondsToWait)

export const unavailable = (): EdgeResponse => unavailableFor(secondsToWait(mostSecondsToWait))

function edgeHeaders(headers: Record<string, string>): EdgeHeaders {
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, [{ key, value }]]))
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(value)
}
