/**
 * Clicks before the start. A page has none: its button is grey until then, and one that was lit a moment too early by an old
 * fact of ours clicks again once. So a few of them with one token show a script, and its shopper waits when the sale is
 * open. They are counted by the token, unchecked, for a signature costs more than the answer; whoever has no token of a
 * colleague's can do nothing to that colleague (R3).
 */
import type { ThrottleRule } from '../core/sale.ts'
import { sessionTokenOf } from './session-token.ts'
import { saleOf, type Visit } from './visit.ts'

/** So many in the window of the sale's throttle per shopper. */
const fewestOfScripts = 4

/** The end of a signature, which no two tokens share. */
const keyLength = 24

export function noteEarlyClick(visit: Visit): void {
  const [sale, token] = [saleOf(visit), sessionTokenOf(visit.request.headers)]
  if (sale === undefined || token === undefined) return
  visit.memory.throttle.judge(`early for ${sale.saleId}`, keyOf(token.text), ruleOf(visit))
}

/** 0, or the whole seconds until early clicks with the token of the visit no longer count. */
export function earlyWaitSeconds(visit: Visit, token: string): number {
  const sale = saleOf(visit)
  if (sale === undefined) return 0
  return visit.memory.throttle.waitSeconds(`early for ${sale.saleId}`, keyOf(token), ruleOf(visit))
}

function ruleOf({ facts }: Visit): ThrottleRule {
  return { limit: fewestOfScripts, windowSeconds: facts?.rules.throttle.perShopper.windowSeconds ?? 60 }
}

function keyOf(token: string): string {
  // A copy: the end of a text would keep all of the text in memory.
  return Buffer.from(token.slice(-keyLength)).toString()
}
