/** The check of early access (core/sale/early-access.ts): all but members wait until their turn after it. */
import { earlyAccessMs } from '../../core/sale/early-access.ts'
import { noteEarlyRequest } from '../memory/early-requests.ts'
import { shopperHashOf } from '../memory/passes.ts'
import { turnLeftMs } from '../turn.ts'
import { type Check, type CheckResult, type RequestContext, refuse, refuseForNow } from '../typed-funnel.ts'

type Context = RequestContext<'memory' | 'sale' | 'shopper' | 'uncount'>

/**
 * Passes members by the level in their token, or by the list of the sale. The list is read only for
 * shoppers without the level, and while only members may buy; without an answer none of them passes.
 */
export const checkEarlyAccess: Check<'memory' | 'sale' | 'shopper' | 'uncount'> = (c, next) => {
  const { saleId, facts } = c.get('sale')
  const { earlyAccess } = facts.rules
  if (earlyAccess === undefined) return next()
  const { minLevel, list } = earlyAccess
  const { shopperId, level } = c.get('shopper')
  if (minLevel !== undefined && level >= minLevel) return next()
  const sinceOthers = c.env.now - facts.startsAt - earlyAccessMs(earlyAccess)
  const leftMs = turnLeftMs(facts, sinceOthers, () => shopperHashOf(shopperId))
  if (leftMs === 0) return next()
  if (list === undefined) return refuseTurn(c, leftMs)
  const proceed = (isMember: boolean | undefined) => {
    if (isMember === undefined) return refuseUnknown(c)
    return isMember ? next() : refuseTurn(c, leftMs)
  }
  const isMember = c.get('memory').members.has(saleId, shopperId)
  return isMember instanceof Promise ? isMember.then(proceed) : proceed(isMember)
}

/** Counts as a request before the turn, and not as one that passed. */
function refuseTurn(c: Context, leftMs: number): CheckResult {
  c.get('uncount')()
  noteEarlyRequest(c.get('memory').throttle, c.env.request.headers, c.get('sale'))
  const retryAfterSeconds = Math.ceil(leftMs / 1000)
  return refuse(c, 'not-your-turn', 'Members have early access. Your turn comes later.', {
    retryAfterSeconds,
  })
}

function refuseUnknown(c: Context): CheckResult {
  c.get('uncount')()
  return refuseForNow(c)
}
