/**
 * Checks of the sale's phase (G2, G3) and of the epoch that a request belongs to (C6). Requests
 * that are too early or too late end here, in memory, and all requests while the sale is frozen
 * (I6). Between two windows of a sale a request is early for the next window (R7).
 *
 * Facts are up to one second old, or three in a quiet sale (flags.ts). A start token becomes public only at
 * the start, so a token that memory lacks may be newer than the facts. At most `rereadsPerSecond` such requests read the
 * facts once more, sharing a read under way; the others are judged by the facts in memory. So made-up tokens cost little.
 */
import { isStartToken } from '../../core/buy/limits.ts'
import { lookupPathFor } from '../../core/buy/lookup.ts'
import { decodeJson, fieldsIn } from '../../core/lib/json.ts'
import { type Phase, phaseAt } from '../../core/sale/phase.ts'
import type { ThrottleRule } from '../../core/sale/sale.ts'
import { armedForMs, armedTokenOf } from '../../redis/gate/armed-token.ts'
import { bodyBytes, type EdgeRequest, type EdgeResponse } from '../cloudfront.ts'
import { isSameSecret } from '../constant-time.ts'
import { noteEarlyRequest } from '../memory/early-requests.ts'
import type { GateFacts, KnownSale } from '../memory/gate-store.ts'
import { prebuiltFinal, prebuiltNotStarted, prebuiltProblem, unavailableResponse } from '../problem-response.ts'
import { answerWith, type Check, type CheckResult, onceKnown, type RequestContext, refuse } from '../typed-funnel.ts'

export const notStarted = prebuiltNotStarted()
export const paused = prebuiltProblem('paused', 'The sale is paused. Try again once it resumes.')
export const ended = prebuiltFinal('ended', 'This sale is over.')

/** The stock never decides the phase here: it has its own check. */
const unlimitedStock = -1

/** For one sale and instance. */
const rereadsPerSecond: ThrottleRule = { limit: 4, windowSeconds: 1 }

/**
 * Returns the unspent admissions of a frozen sale: no request has used them, so the recovery need not hold back units for
 * them.
 */
export const returnLeaseOfFrozenSale: Check<'memory' | 'sale'> = (c, next) => {
  const { saleId, facts } = c.get('sale')
  if (facts.frozen) c.get('memory').admissions.returnUnspent(saleId)
  return next()
}

/**
 * Looks for a newer epoch while the sale is scheduled or paused according to the facts in memory. Reads the start token from the
 * unchecked body.
 */
export const refreshFactsBeforeStart: Check<'memory' | 'sale', 'sale'> = (c, next) => {
  const phase = phaseIn(c.get('sale').facts, c.env.now)
  return phase === 'scheduled' || phase === 'paused'
    ? refreshFactsForToken(c, fieldsOf(c.env.request.body)?.startToken, next)
    : next()
}

/** Looks for a newer epoch while the sale is open according to the facts in memory, so that later checks use the newest one. */
export const refreshFactsForBody: Check<'memory' | 'sale' | 'body', 'sale'> = (c, next) =>
  refreshFactsForToken(c, c.get('body').startToken, next)

/**
 * Reads the facts again where memory does not have `startToken`. Keeps the facts when the store
 * does not answer.
 */
function refreshFactsForToken(
  c: RequestContext<'memory' | 'sale', 'sale'>,
  startToken: unknown,
  next: () => CheckResult,
): CheckResult {
  const { flags, rereads } = c.get('memory')
  const { saleId, facts } = c.get('sale')
  const { now } = c.env
  if (!isStartToken(startToken) || isOfEpoch(startToken, facts)) return next()
  if (rereads.waitSeconds(saleId, rereadsPerSecond, now) > 0) return next()
  rereads.add(saleId, 1, rereadsPerSecond, now)
  return onceKnown(flags.getReadAfter(saleId, now), (known) => {
    if (known.kind === 'sale') c.set('sale', { saleId, facts: known.facts })
    return next()
  })
}

const isOfEpoch = (given: string, { startToken }: GateFacts) =>
  startToken !== null && (given === startToken || given === armedTokenOf(startToken))

function fieldsOf(body: EdgeRequest['body']) {
  const decoded = decodeJson(bodyBytes(body))
  return decoded.ok ? fieldsIn(decoded.value) : undefined
}

/** Refuses a purchase or claim unless the sale is open. */
export const checkPhase: Check<'memory' | 'sale'> = (c, next) => {
  const sale = c.get('sale')
  const { request, now } = c.env
  const phase = phaseIn(sale.facts, now)
  if (phase === 'open') return next()
  if (phase !== 'scheduled') return answerWith(c, refusalIn(phase, sale))
  noteEarlyRequest(c.get('memory').throttle, request.headers, sale)
  return answerWith(c, notStarted(now))
}

/** For calls that a page makes before the start, such as fetching a challenge. */
export const checkOpenOrScheduled: Check<'sale'> = (c, next) => {
  const sale = c.get('sale')
  const phase = phaseIn(sale.facts, c.env.now)
  return phase === 'open' || phase === 'scheduled' ? next() : answerWith(c, refusalIn(phase, sale))
}

/** Undefined while the sale is frozen. */
function phaseIn(facts: GateFacts, now: number): Phase | undefined {
  const { flag, startsAt, endsAt, nextStartsAt, frozen } = facts
  if (frozen) return undefined
  // A sale whose stock is not in Redis yet has its flag off, which is the phase `scheduled`.
  return phaseAt({ warmed: true, flag, startsAt, endsAt, hasNext: nextStartsAt !== null }, now, unlimitedStock)
}

function refusalIn(phase: Phase | undefined, { saleId, facts }: KnownSale): EdgeResponse {
  if (phase === 'paused') return paused
  return phase === 'ended' ? ended(facts.rules.kind, saleId) : unavailableResponse()
}

/**
 * Requires the start token of the present epoch (C6). Only a countdown published after the start has it. A page loaded before
 * the start has its armed form (redis/gate/armed-token.ts): in the first seconds a click with it is
 * forwarded with the token itself.
 */
export const checkStartToken: Check<'sale' | 'body'> = (c, next) => {
  const { saleId, facts } = c.get('sale')
  const { startToken, startsAt } = facts
  const { request, now } = c.env
  const given = c.get('body').startToken
  if (startToken !== null && isSameSecret(given, startToken)) return next()
  if (startToken !== null && now - startsAt < armedForMs && isSameSecret(given, armedTokenOf(startToken))) {
    const text = JSON.stringify({ ...fieldsOf(request.body), startToken })
    request.body = { inputTruncated: false, action: 'replace', encoding: 'text', data: text }
    return next()
  }
  const lookup = lookupPathFor(facts.rules.kind, saleId)
  return refuse(c, 'stale-page', 'Reload the page and try again.', { lookup })
}
