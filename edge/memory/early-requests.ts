/**
 * Purchases before the start, or before the shopper's turn. The button of our page is disabled until then; stale facts
 * may enable it a moment too early, for one request. Several with the same token are the sign of a script, and its
 * shopper waits once the sale is open. They count by the unverified token, because a signature check costs more than
 * the answer. A stranger without the token of a shopper cannot make that shopper wait (R3).
 */
import type { ThrottleRule } from '../../core/sale/sale.ts'
import type { EdgeHeaders } from '../cloudfront.ts'
import { type SessionToken, tokenKey, tokenKeyIn } from '../find-session-token.ts'
import type { KnownSale } from './gate-store.ts'
import type { Throttle } from './throttle.ts'

/** In the window of the sale's throttle per shopper. */
const fewestOfScripts = 4

export function noteEarlyRequest(throttle: Throttle, headers: EdgeHeaders, sale: KnownSale): void {
  const key = tokenKeyIn(headers)
  if (key !== undefined) throttle.judge(`early for ${sale.saleId}`, key, ruleOf(sale))
}

/** 0, or the whole seconds until early requests with the token no longer count. */
export function earlyWaitSeconds(throttle: Throttle, token: SessionToken, sale: KnownSale): number {
  return throttle.waitSeconds(`early for ${sale.saleId}`, tokenKey(token), ruleOf(sale))
}

function ruleOf({ facts }: KnownSale): ThrottleRule {
  return { limit: fewestOfScripts, windowSeconds: facts.rules.throttle.perShopper.windowSeconds }
}
