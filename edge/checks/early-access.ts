/**
 * The check of who may buy: in a sale by invitation the shoppers on its list alone, and in early
 * access (core/sale/windows.ts) members of the level, while all others wait until their turn after it.
 */
import { earlyAccessMs } from '../../core/sale/windows.ts'
import { noteEarlyRequest } from '../memory/early-requests.ts'
import { shopperHashOf } from '../memory/passes.ts'
import { turnLeftMs } from '../turn.ts'
import { type Check, type CheckResult, onceKnown, type RequestContext, refuse, refuseForNow } from '../typed-funnel.ts'

type Context = RequestContext<'memory' | 'sale' | 'shopper' | 'undoCount'>

/** Early access is by the level in the token of the shopper. */
export const checkEarlyAccess: Check<'memory' | 'sale' | 'shopper' | 'undoCount'> = (c, next) => {
  const { facts } = c.get('sale')
  const { earlyAccess, invitedOnly } = facts.rules
  if (invitedOnly) return checkList(c, next)
  if (earlyAccess === undefined) return next()
  const { shopperId, level } = c.get('shopper')
  if (level >= earlyAccess.minLevel) return next()
  const sinceOthers = c.env.now - facts.startsAt - earlyAccessMs(earlyAccess)
  const leftMs = turnLeftMs(facts, sinceOthers, () => shopperHashOf(shopperId))
  return leftMs === 0 ? next() : refuseTurn(c, leftMs)
}

/** The list names the one variant that a shopper may buy. Without an answer no shopper passes. */
const checkList: Check<'memory' | 'sale' | 'shopper' | 'undoCount'> = (c, next) => {
  const found = c.get('memory').members.has(c.get('sale').saleId, c.get('shopper').shopperId, c.get('variant'))
  return onceKnown(found, (isMember) => {
    if (isMember) return next()
    if (isMember === false) return refuse(c, 'level-too-low', 'This sale is only for invited members.')
    c.get('undoCount')()
    return refuseForNow(c)
  })
}

/** Counts as a request before the turn, and not as one that passed. */
function refuseTurn(c: Context, leftMs: number): CheckResult {
  c.get('undoCount')()
  noteEarlyRequest(c.get('memory').throttle, c.env.request.headers, c.get('sale'))
  const retryAfterSeconds = Math.ceil(leftMs / 1000)
  return refuse(c, 'not-your-turn', 'Members have early access. Your turn comes later.', { retryAfterSeconds })
}
