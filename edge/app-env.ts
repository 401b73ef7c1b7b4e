/** What the checks of the Hono half share: the visit so far, and what they have found out about it. */
import type { Context, MiddlewareHandler, Next } from 'hono'
import type { Entry } from '../core/entry.ts'
import type { IdempotencyKey } from '../core/ids.ts'
import { type Problem, type ProblemCode, type ProblemFacts, problem } from '../core/outcome.ts'
import type { Solved } from './challenge.ts'
import { inAMoment, mostSecondsToWait, problemHeaders, secondsToWait } from './problem-response.ts'
import type { SessionToken } from './session-token.ts'
import type { Shopper } from './tokens.ts'
import { saleOf, type Visit, type VisitedSale } from './visit.ts'

/**
 * `key` is undefined for a purchase that came without one, `solved` where the sale asks for no challenge, `admission` (an
 * epoch second) where nobody counts. `takeBack` undoes the count of the shopper's throttle.
 */
export type AppEnv = {
  Bindings: { visit: Visit }
  Variables: {
    token: SessionToken
    shopper: Shopper
    entry: Entry
    key: IdempotencyKey | undefined
    solved: Solved | undefined
    admission: number | undefined
    takeBack: () => void
  }
}

export type AppCheck = MiddlewareHandler<AppEnv>

/** A check of what the visited sale is like. It refuses for now where there is none: a funnel that lacks the known sale. */
export function ofSale(
  check: (c: Context<AppEnv>, next: Next, sale: VisitedSale) => ReturnType<AppCheck>,
): AppCheck {
  return async (c, next) => {
    const sale = saleOf(c.env.visit)
    return sale === undefined ? refuseForNow(c) : check(c, next, sale)
  }
}

/** The refusal as a response of its own, with the request's id for whoever reports it. */
export function refuse(
  c: Context<AppEnv>,
  code: ProblemCode,
  detail: string,
  facts: ProblemFacts = {},
): Response {
  const refusal: Problem = problem(code, detail, facts)
  const headers = { ...problemHeaders(refusal), 'x-request-id': c.env.visit.requestId }
  return new Response(JSON.stringify(refusal), { status: refusal.status, headers })
}

/** The refusal of whoever is too fast, with the whole seconds to wait. */
export function refuseForSeconds(c: Context<AppEnv>, retryAfterSeconds: number): Response {
  return refuse(c, 'too-many-requests', `Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
}

/** The refusal when the gate cannot know for the moment. */
export function refuseForNow(c: Context<AppEnv>): Response {
  return refuse(c, 'unavailable', inAMoment, { retryAfterSeconds: secondsToWait(mostSecondsToWait) })
}
