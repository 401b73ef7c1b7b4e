/**
 * Clicks before the start. A page has none: its button is grey until then, and one that was lit a moment too early by an old
 * fact of ours clicks again once. So a few of them with one token show a script, and its shopper waits when the sale is
 * open. They are counted by the token, unchecked, for a signature costs more than the answer; whoever has no token of a
 * colleague's can do nothing to that colleague (R3).
 */
import type { ThrottleRule } from '../core/sale.ts'
import { tokenKey } from './session-token.ts'
import type { Visit, VisitedSale } from './visit.ts'

/** So many in the window of the sale's throttle per shopper. */
const fewestOfScripts = 4

export function noteEarlyClick({ memory, request }: Visit, sale: VisitedSale): void {
  const key = tokenKey(request.headers)
  if (key !== undefined) memory.throttle.judge(`early for ${sale.saleId}`, key, ruleOf(sale))
}

/** 0, or the whole seconds until early clicks with the token of this visit no longer count. */
export function earlyWaitSeconds({ memory, request }: Visit, sale: VisitedSale): number {
  const key = tokenKey(request.headers)
  return key === undefined ? 0 : memory.throttle.waitSeconds(`early for ${sale.saleId}`, key, ruleOf(sale))
}

function ruleOf({ facts }: VisitedSale): ThrottleRule {
  return { limit: fewestOfScripts, windowSeconds: facts.rules.throttle.perShopper.windowSeconds }
}
