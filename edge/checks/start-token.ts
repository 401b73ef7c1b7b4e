/**
 * Does the page that sent this belong to the present opening (C6)? Only a countdown published after the flip holds
 * the token, so nothing prepared before the start passes. Compared in constant time.
 */
import { timingSafeEqual } from 'node:crypto'
import { lookupOf } from '../../core/lookup.ts'
import { ofSale, refuse } from '../app-env.ts'

export const checkStartToken = ofSale(async (c, next, { saleId, facts }) => {
  const expected = Buffer.from(facts.startToken ?? '')
  const given = Buffer.from(c.var.entry.startToken)
  return expected.length === given.length && timingSafeEqual(expected, given)
    ? next()
    : refuse(c, 'stale-page', 'Load the page again, then try once more.', {
        lookup: lookupOf(facts.rules.kind, saleId),
      })
})
