/**
 * Checks of the pass (core/gate/pass.ts) and of the shopper's turn (core/gate/spread.ts), and the route that
 * gives passes. CloudFront's function makes the same checks before (pre-gate.js); here they hold for
 * requests that it let through because its store is some seconds late.
 */
import {
  type Pass,
  passCookie,
  passCookieText,
  passHeader,
  passLifeSeconds,
  renewBelowSeconds,
} from '../../core/gate/pass.ts'
import type { ThrottleRule } from '../../core/sale/sale.ts'
import { cookiesIn, type EdgeHeaders, type EdgeResponse, headerOf } from '../cloudfront.ts'
import { noteEarlyRequest } from '../memory/early-requests.ts'
import { issuePass, proofSecretOf, shopperHashOf, verifyPass } from '../memory/passes.ts'
import { digestOf } from '../memory/tokens.ts'
import { jsonResponse, prebuiltProblem, problemResponse } from '../problem-response.ts'
import { turnLeftMs } from '../turn.ts'
import {
  answerWith,
  type Check,
  type CheckResult,
  onceKnown,
  type RequestContext,
  refuseForNow,
  refuseForSeconds,
} from '../typed-funnel.ts'

/** The refusal of a click without a pass: `sign-in-required`, where `field` lets the page get one and try again. */
export const noPass = prebuiltProblem('sign-in-required', 'Get a pass at /api/pass, and send it with the request.', {
  field: 'pass',
})

/** Requires a pass where the sale does. A pass that no known key has signed may be good: the session decides then. */
export const checkPass: Check<'memory' | 'sale', 'pass'> = (c, next) => {
  if (c.get('sale').facts.rules.requirePass === 'off') return next()
  const { lists } = c.get('memory')
  const known = lists.known()
  // Keys are good for days: only the first requests of an instance wait for them.
  return onceKnown(known.passKeys.size > 0 ? known : lists.get(), ({ passKeys }) => {
    const pass = verifyPass(passIn(c.env.request.headers), passKeys, c.env.now)
    if (pass === undefined) return answerWith(c, noPass)
    c.set('pass', pass === 'unknown' ? undefined : pass)
    return next()
  })
}

/** Refuses a shopper whose turn in the spread has not come. */
export const checkTurn: Check<'memory' | 'sale'> = (c, next) => {
  const pass = c.get('pass')
  return pass === undefined ? next() : waitForTurn(c, pass.shopperHash, next)
}

/** Refuses the pass of another shopper, and with it that shopper's turn. */
export const checkPassOwner: Check<'memory' | 'sale' | 'shopper'> = (c, next) => {
  const { shopperId } = c.get('shopper')
  const { requirePass } = c.get('sale').facts.rules
  if (requirePass === 'off') return next()
  const pass = c.get('pass')
  // Without a known key the turn was not checked before.
  if (pass === undefined) return waitForTurn(c, shopperHashOf(shopperId), next)
  return pass.shopperHash === shopperHashOf(shopperId) ? next() : answerWith(c, noPass)
}

function waitForTurn(c: RequestContext<'memory' | 'sale'>, shopperHash: string, next: () => CheckResult): CheckResult {
  const sale = c.get('sale')
  const leftMs = turnLeftMs(sale.facts, c.env.now - sale.facts.startsAt, () => shopperHash)
  if (leftMs === 0) return next()
  noteEarlyRequest(c.get('memory').throttle, c.env.request.headers, sale)
  return answerWith(c, notYourTurn(Math.ceil(leftMs / 1000)))
}

export function notYourTurn(retryAfterSeconds: number): EdgeResponse {
  const detail = 'In the first seconds every shopper has a turn at random. Yours has not come.'
  return problemResponse('not-your-turn', detail, { retryAfterSeconds })
}

/** A page needs one in hours. */
const passesPerShopper: ThrottleRule = { limit: 10, windowSeconds: 60 }

/** Answers `GET /api/pass`. */
export const answerPass: Check<'memory' | 'token' | 'shopper'> = async (c) => {
  const memory = c.get('memory')
  const { shopperId } = c.get('shopper')
  const pace = memory.throttle.judge('passes', shopperId, passesPerShopper)
  if (pace.kind === 'too-fast') return refuseForSeconds(c, pace.waitSeconds)
  await memory.lists.get()
  const pass = newPass(c)
  if (pass === undefined) return refuseForNow(c)
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...passHeaders(pass) }
  return answerWith(c, jsonResponse(200, headers, { pass }))
}

/** Adds a new pass to what the gate itself answers to a session without one, or with one that ends soon. */
export const addPass: Check<'memory' | 'token' | 'shopper'> = async (c, next) => {
  await next()
  const { answer, request } = c.env
  if (answer !== undefined && answer !== request && 'status' in answer) c.env.answer = withPass(c, answer)
}

/** A pass for the session that the gate has verified; undefined while its key is not known. */
export function newPass(c: RequestContext<'memory' | 'token' | 'shopper'>): string | undefined {
  const { config, lists } = c.get('memory')
  const { shopperId, keyId } = c.get('shopper')
  const session = { secret: proofSecretOf(config), digest: digestOf(c.get('token').text), keyId }
  return issuePass(shopperId, lists.known().passKeys, c.env.now, session)
}

function withPass(c: RequestContext<'memory' | 'token' | 'shopper'>, answer: EdgeResponse): EdgeResponse {
  const { passKeys } = c.get('memory').lists.known()
  const { request, now } = c.env
  const present = c.get('pass') ?? verifyPass(passIn(request.headers), passKeys, now)
  if (present === 'unknown' || (present !== undefined && !endsSoon(present, now))) return answer
  const pass = newPass(c)
  if (pass === undefined) return answer
  const added = Object.entries(passHeaders(pass)).map(([key, value]) => [key, [{ key, value }]])
  return { ...answer, headers: { ...answer.headers, ...Object.fromEntries(added) } }
}

const endsSoon = ({ expiresAt }: Pass, now: number) => expiresAt - now / 1000 < renewBelowSeconds

function passHeaders(pass: string): Record<string, string> {
  return { 'set-cookie': passCookieText(pass, passLifeSeconds), [passHeader]: pass }
}

/** The one pass of a request: the header, or without it the cookie. */
function passIn(headers: EdgeHeaders): string | undefined {
  const header = headerOf(headers, passHeader)
  if (header.kind !== 'absent') return header.kind === 'one' ? header.value : undefined
  const [first, ...others] = cookiesIn(headers, passCookie)
  return others.length === 0 ? first : undefined
}
