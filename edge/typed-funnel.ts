/**
 * A check is a step of a route that names the variables it needs and the variables it sets. A `Funnel` accepts a
 * check only where earlier checks have set what it needs, so a funnel in the wrong order does not compile.
 *
 * Hono never sees the client's request. The checks read CloudFront's own request from the context, because what they
 * check must be what is forwarded: a fetch `Request` would join repeated headers, decode the path and the body a second
 * time, and throw on header bytes that it cannot hold.
 */
import type { Context, MiddlewareHandler } from 'hono'
import type { ClaimRequest } from '../core/buy/requests.ts'
import type { IdempotencyKey, SaleId } from '../core/ids.ts'
import type { ProblemCode, ProblemFacts } from '../core/outcome.ts'
import type { DemandCounter } from '../redis/gate/demand.ts'
import type { EdgeRequest, EdgeResponse } from './cloudfront.ts'
import type { SessionToken } from './find-session-token.ts'
import type { Solved } from './memory/challenges.ts'
import type { KnownSale } from './memory/gate-store.ts'
import type { Memory } from './memory/memory.ts'
import type { SignedPass } from './memory/passes.ts'
import type { Shopper } from './memory/tokens.ts'
import { maxWaitSeconds, problemResponse, randomWaitSeconds, tryAgain } from './problem-response.ts'
import type { RouteKind } from './routes.ts'
import { answered } from './stand-ins.ts'

/** A generated response, or the request for CloudFront to forward. */
export type EdgeAnswer = EdgeResponse | EdgeRequest

/**
 * One request to the gate. `now` is the time of arrival, epoch ms. `loadMemory` returns undefined when the request's
 * configuration is not usable. `route` is set once Hono has found it. `asked` is the published sale that the request is
 * for, once it is found, and what counts its demand. `answer` is what the gate returns to CloudFront.
 */
export type GateExchange = {
  readonly request: EdgeRequest
  readonly requestId: string
  readonly now: number
  readonly loadMemory: () => Memory | undefined
  route: RouteKind | undefined
  asked: { saleId: SaleId; demand: DemandCounter } | undefined
  answer: EdgeAnswer | undefined
}

/**
 * The variables that checks set for a request. `key` is undefined for a purchase without an idempotency key, `variant` for one
 * without variants, `solved` where the sale needs no challenge, `answered` without a token of the page, `pass` where it
 * needs no pass or its key is not known. `admission` is the epoch second of the admission. `undoCount`
 * removes the request from the shopper's throttle.
 */
type Variables = {
  memory: Memory
  saleId: SaleId
  sale: KnownSale
  token: SessionToken
  shopper: Shopper
  shopKey: string
  pass: SignedPass | undefined
  body: ClaimRequest
  variant: string | undefined
  key: IdempotencyKey | undefined
  solved: Solved | undefined
  answered: string | undefined
  admission: number
  undoCount: () => void
}
type Name = keyof Variables

export type GateEnv = { Bindings: GateExchange; Variables: Variables }

/** Hono's context, limited to what a check declares: `Needs` are set, other variables may be absent. */
export type RequestContext<Needs extends Name = never, Sets extends Name = never> = {
  readonly env: GateExchange
  /** Only parameters of the path: Hono never sees the rest of the client's request. */
  readonly req: { param(name: 'saleId'): string | undefined }
  /** Hono builds this object anew at each use: read single variables with `get`. */
  readonly var: Readonly<Pick<Variables, Needs> & Partial<Variables>>
  get<Key extends Needs>(key: Key): Variables[Key]
  get<Key extends Name>(key: Key): Variables[Key] | undefined
  set<Key extends Sets>(key: Key, value: Variables[Key]): void
}

/** The result of a Hono middleware: a response, or nothing when a later check has answered. */
export type CheckResult = ReturnType<MiddlewareHandler>

export type Check<Needs extends Name = never, Sets extends Name = never> = (
  c: RequestContext<Needs, Sets>,
  next: () => CheckResult,
) => CheckResult

/** A check in a funnel, which has set what it needs. */
type AnyCheck = (c: Context<GateEnv>, next: () => CheckResult) => CheckResult

/** Checks in their order. `Has` are the variables that they set. */
export class Funnel<Has extends Name = never> {
  readonly checks: readonly AnyCheck[]

  constructor(checks: readonly AnyCheck[] = []) {
    this.checks = checks
  }

  use<Sets extends Name = never>(check: Check<Has, Sets>): Funnel<Has | Sets> {
    return new Funnel<Has | Sets>([...this.checks, check])
  }

  /**
   * All checks of `route` as one middleware. Hono's own chain awaits each of them, which costs a losing request
   * more than the checks do; here one that only calls `next` costs no promise.
   */
  handler(route: RouteKind): MiddlewareHandler<GateEnv> {
    const { checks } = this
    return async (c, end) => {
      c.env.route = route
      const run = (at: number): CheckResult => {
        const check = checks[at]
        return check === undefined ? end() : check(c, () => run(at + 1))
      }
      await run(0)
      // A check that waits for the ones behind it returns nothing.
      return c.env.answer === undefined ? undefined : answered
    }
  }
}

/** Judges what memory has at once: a promise costs a losing request more than the checks do. */
export function onceKnown<T, R>(found: T | Promise<T>, judge: (known: T) => R): R | Promise<Awaited<R>> {
  return found instanceof Promise ? (found.then(judge) as Promise<Awaited<R>>) : judge(found)
}

/** Ends the funnel with `answer`. */
export function answerWith(c: RequestContext, answer: EdgeAnswer): Promise<Response> {
  c.env.answer = answer
  return answered
}

/** Ends the funnel with a problem built for this request, which carries the request's id. */
export function refuse(
  c: RequestContext,
  code: ProblemCode,
  detail: string,
  facts: ProblemFacts = {},
): Promise<Response> {
  return answerWith(c, problemResponse(code, detail, facts, { 'x-request-id': c.env.requestId }))
}

/** Ends the funnel of a request over its rate limit. */
export function refuseForSeconds(c: RequestContext, retryAfterSeconds: number): Promise<Response> {
  return refuse(c, 'too-many-requests', `Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
}

/** Ends the funnel of a request that the gate cannot judge at the moment. */
export function refuseForNow(c: RequestContext): Promise<Response> {
  return refuse(c, 'unavailable', tryAgain, { retryAfterSeconds: randomWaitSeconds(maxWaitSeconds) })
}
