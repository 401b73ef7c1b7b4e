/** Checks that a shopper is a person (R5, N4), and the route that issues them. */
import { isSolvedChallenge } from '../../core/buy/limits.ts'
import { purchaseKey } from '../../core/buy/requests.ts'
import { challengeRequest } from '../../core/gate/challenge-request.ts'
import { decodeJson, fieldsIn } from '../../core/lib/json.ts'
import { parse, readJson } from '../../core/lib/parse.ts'
import { bodyBytes } from '../cloudfront.ts'
import { jsonResponse } from '../problem-response.ts'
import { answerWith, type Check, type CheckResult, type RequestContext, refuse, refuseForNow } from '../typed-funnel.ts'

type Challenged = 'memory' | 'sale' | 'shopper'

/** Requires a solved challenge. `checkFirstUse` checks that it was not used for another purchase. */
export const checkChallenge: Check<Challenged | 'body', 'solved'> = (c, next) =>
  checkSolved(c, next, c.get('body').challenge)

/** Requires a solved challenge of a request to an option. Its use is not recorded, because the option counts once. */
export const checkEntryChallenge: Check<Challenged, 'solved'> = (c, next) => {
  const { method, body } = c.env.request
  if (method !== 'PUT') return next()
  const decoded = decodeJson(bodyBytes(body))
  return checkSolved(c, next, decoded.ok ? fieldsIn(decoded.value)?.challenge : undefined)
}

async function checkSolved(
  c: RequestContext<Challenged, 'solved'>,
  next: () => CheckResult,
  challenge: unknown,
): Promise<Awaited<CheckResult>> {
  const { saleId, facts } = c.get('sale')
  const kind = facts.rules.challenge
  if (kind === 'off') return next()
  if (!isSolvedChallenge(challenge)) {
    return refuse(c, 'challenge-required', 'Solve a challenge of this sale first.')
  }
  const challenges = c.get('memory').challenges[kind]
  if (challenges === undefined) return refuseForNow(c)
  const solved = await challenges.verify(challenge, saleId, c.get('shopper').shopperId)
  if (solved === undefined) {
    return refuse(c, 'challenge-failed', 'Fetch a new challenge, solve it and try again.')
  }
  c.set('solved', solved)
  return next()
}

/** Instances with a slow clock accept a challenge for this much longer, ms. */
const clockSlackMs = 60_000

/**
 * Accepts a solved challenge for one purchase. The store keeps the use for all instances until the challenge expires.
 * A retry of that purchase may use it again. No request passes while the store does not answer (I6).
 */
export const checkFirstUse: Check<'memory' | 'sale' | 'body' | 'key' | 'solved' | 'admission'> = async (c, next) => {
  const { store } = c.get('memory')
  const solved = c.get('solved')
  if (solved === undefined) return next()
  const ttlMs = solved.expiresAt - c.env.now + clockSlackMs
  const use = purchaseKey(c.get('key'), c.get('body').startToken)
  return (await store.firstUse(c.get('sale').saleId, solved.id, use, ttlMs))
    ? next()
    : refuse(c, 'challenge-failed', 'A challenge is valid for one purchase. Solve a new one.')
}

/** Parses a request for a challenge; no body is one without a token. */
export const checkChallengeRequest: Check<never, 'answered'> = (c, next) => {
  const body = bodyBytes(c.env.request.body)
  const request = body.length === 0 ? parse(challengeRequest, {}) : readJson(challengeRequest, body)
  if (!request.ok) return refuse(c, 'invalid-request', request.detail, { field: request.field })
  c.set('answered', request.value.token)
  return next()
}

/** Answers with a new challenge for this shopper and sale, or with what the page has earned by its answer to one. */
export const issueChallenge: Check<'memory' | 'sale' | 'shopper' | 'answered'> = async (c) => {
  const { saleId, facts } = c.get('sale')
  const kind = facts.rules.challenge
  if (kind === 'off') return refuse(c, 'conflict', 'This sale has no challenge.')
  const challenges = c.get('memory').challenges[kind]
  const issued = await challenges?.issue(saleId, c.get('shopper').shopperId, c.get('answered'))
  if (issued === 'failed') return refuse(c, 'challenge-failed', 'The security check failed. Try it again.')
  // Without a verdict no request passes (I6).
  if (issued === undefined || issued === 'unavailable') return refuseForNow(c)
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': c.env.requestId }
  return answerWith(c, jsonResponse(200, headers, issued))
}
