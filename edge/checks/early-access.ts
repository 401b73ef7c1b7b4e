/** The check of early access (core/sale/early-access.ts): all but members wait until their turn after it, or are refused. */
import { type EarlyAccess, earlyAccessMs, isInvitedOnly } from '../../core/sale/early-access.ts'
import { noteEarlyRequest } from '../memory/early-requests.ts'
import { shopperHashOf } from '../memory/passes.ts'
import { turnLeftMs } from '../turn.ts'
import { type Check, type CheckResult, type RequestContext, refuse, refuseForNow } from '../typed-funnel.ts'

type Context = RequestContext<'memory' | 'sale' | 'shopper' | 'uncount'>

/**
 * Passes members by the level in their token, or by the list of the sale. The list is read only for
 * shoppers without the level, and while only members may buy; without an answer none of them passes. It may name
 * the one variant that a member may buy.
 */
export const checkEarlyAccess: Check<'memory' | 'sale' | 'shopper' | 'uncount'> = (c, next) => {
  const { saleId, facts } = c.get('sale')
  const { earlyAccess } = facts.rules
  if (earlyAccess === undefined) return next()
  const { minLevel, list } = earlyAccess
  const { shopperId, level } = c.get('shopper')
  if (minLevel !== undefined && level >= minLevel) return next()
  const refuseOthers = isInvitedOnly(earlyAccess) ? refuseInvitedOnly : turnOfOthers(c, earlyAccess)
  if (refuseOthers === undefined) return next()
  if (list === undefined) return refuseOthers(c)
  const proceed = (isMember: boolean | undefined) => {
    if (isMember === undefined) return refuseUnknown(c)
    return isMember ? next() : refuseOthers(c)
  }
  const isMember = c.get('memory').members.has(saleId, shopperId, c.get('variant'))
  return isMember instanceof Promise ? isMember.then(proceed) : proceed(isMember)
}

/** How a shopper without early access is refused; undefined once it is their turn. */
function turnOfOthers(c: Context, earlyAccess: EarlyAccess): ((c: Context) => CheckResult) | undefined {
  const { facts } = c.get('sale')
  const { shopperId } = c.get('shopper')
  const sinceOthers = c.env.now - facts.startsAt - earlyAccessMs(earlyAccess)
  const leftMs = turnLeftMs(facts, sinceOthers, () => shopperHashOf(shopperId))
  return leftMs === 0 ? undefined : () => refuseTurn(c, leftMs)
}

/** The list stands for a level that is high enough. */
const refuseInvitedOnly = (c: Context): CheckResult =>
  refuse(c, 'level-too-low', 'This sale is only for invited members.')

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
