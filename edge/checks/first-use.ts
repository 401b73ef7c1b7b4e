/**
 * Is a solved challenge used for the first time (R5)? All instances ask the store, which keeps the use until the challenge
 * is over. The purchase it was used for may come again with it: that is a retry and no second purchase. A store that does
 * not answer lets nobody through (I6).
 */
import { purchaseKey } from '../../core/buy-request.ts'
import { ofSale, refuse } from '../app-env.ts'

/** Kept this much longer than the challenge lives, ms: an instance whose clock lags takes the challenge for longer. */
const clockSlackMs = 60_000

export const checkFirstUse = ofSale(async (c, next, { saleId }) => {
  const { solved, entry, key } = c.var
  if (solved === undefined) return next()
  const { memory, now } = c.env.visit
  const ttlMs = solved.expiresAt - now + clockSlackMs
  return (await memory.store.firstUse(saleId, solved.id, purchaseKey(key, entry.startToken), ttlMs))
    ? next()
    : refuse(c, 'challenge-failed', 'A challenge is good for one purchase. Solve a new one.')
})
