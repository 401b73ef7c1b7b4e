/**
 * Problem documents in CloudFront's form. A problem that is the same for all clients is built once and shared: each
 * rejected request costs a map lookup, and makes no Request, Response or URL.
 */
import QuickLRU from 'quick-lru'
import { ordersLookup, walletLookup } from '../core/buy/lookup.ts'
import type { SaleId } from '../core/ids.ts'
import { type ProblemCode, type ProblemFacts, problem } from '../core/outcome.ts'
import type { SaleKind } from '../core/sale/kinds.ts'
import type { EdgeHeaders, EdgeResponse } from './cloudfront.ts'

/**
 * A problem as a response, with `Retry-After` (seconds) where the problem has one. The header `x-sluice-gate` shows the
 * page that the request did not reach the stock, so the page need not look for an order.
 */
export function problemResponse(
  code: ProblemCode,
  detail: string,
  facts: ProblemFacts = {},
  moreHeaders: Record<string, string> = {},
): EdgeResponse {
  const document = problem(code, detail, facts)
  const { status, retryAfterSeconds } = document
  const headers = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-sluice-gate': 'refused',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...moreHeaders,
  }
  return jsonResponse(status, headers, document)
}

export function jsonResponse(status: number, headers: Record<string, string>, body: unknown): EdgeResponse {
  return { status: String(status), headers: edgeHeaders(headers), body: JSON.stringify(body), bodyEncoding: 'text' }
}

const beforeCode = '{"type":"urn:sluice:problem:'

/** The code of a problem that `problemResponse` has made, from its first member. */
export function problemCodeIn({ body }: EdgeResponse): string {
  return body.slice(beforeCode.length, body.indexOf('"', beforeCode.length))
}

/** A frozen problem, to be built once at module level and returned to every request it fits. */
export function prebuiltProblem(...problemArguments: Parameters<typeof problemResponse>): EdgeResponse {
  return deepFreeze(problemResponse(...problemArguments))
}

/** Makes `not-started` responses, which hold the server's clock: joins prebuilt text around one number. */
export function prebuiltNotStarted(): (now: number) => EdgeResponse {
  const { status, headers, body } = prebuiltProblem('not-started', 'The sale has not started. Wait for the start time.')
  const head = `${body.slice(0, -1)},"now":`
  return (now) => ({ status, headers, body: `${head}${now}}`, bodyEncoding: 'text' })
}

/** Sales whose prebuilt problems are kept; any other sale's are built again. */
const maxSales = 1000

/** Makes problems that end a purchase, once per sale. They name where to find what an earlier request won. */
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

/** A random wait from 1 to `most` seconds, so that a rejected crowd does not return in one second (I6). */
export function randomWaitSeconds(most: number): number {
  return 1 + Math.floor(Math.random() * most)
}

/** Makes problems that differ only in `Retry-After`, 1 to `most` seconds, each built once. */
export function prebuiltRetries(code: ProblemCode, detail: string, most: number): (seconds: number) => EdgeResponse {
  const retryIn = (retryAfterSeconds: number) => prebuiltProblem(code, detail, { retryAfterSeconds })
  const longest = retryIn(most)
  const answers = Array.from({ length: most }, (_, index) => (index + 1 < most ? retryIn(index + 1) : longest))
  return (seconds) => answers[seconds - 1] ?? longest
}

/** The longest `Retry-After` of `unavailable`, seconds. */
export const maxWaitSeconds = 3
export const tryAgain = 'Try again in a moment.'

const unavailableFor = prebuiltRetries('unavailable', tryAgain, maxWaitSeconds)

export const unavailableResponse = (): EdgeResponse => unavailableFor(randomWaitSeconds(maxWaitSeconds))

function edgeHeaders(headers: Record<string, string>): EdgeHeaders {
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, [{ key, value }]]))
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(value)
}
