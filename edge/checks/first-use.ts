/**
 * Is a solved challenge used for the first time (R5)? All instances ask the store, which keeps the use until the challenge
 * is over. The purchase it was used for may come again with it: that is a retry and no second purchase. A store that does
 * not answer lets nobody through (I6).
 */
import { type AppCheck, refuse, refuseForNow } from '../app-env.ts'
import { headerOf } from '../cloudfront.ts'
import { saleOf } from '../visit.ts'

/** Kept this much longer than the challenge lives, ms: an instance whose clock lags takes the challenge for longer. */
const clockSlackMs = 60_000

export const checkFirstUse: AppCheck = async (c, next) => {
  const { solved, buy } = c.var
  if (solved === undefined) return next()
  const { visit } = c.env
  const sale = saleOf(visit)
  if (sale === undefined) return refuseForNow(c)
  const key = headerOf(visit.request.headers, 'idempotency-key')
  // Without a key of its own, the purchase is the shopper's one of this opening.
  const use = key.kind === 'one' ? key.value : `epoch:${buy.startToken}`
  const ttlMs = solved.expiresAt - visit.now + clockSlackMs
  return (await visit.memory.store.firstUse(sale.saleId, solved.id, use, ttlMs))
    ? next()
    : refuse(c, 'challenge-failed', 'A challenge is good for one purchase. Solve a new one.')
}
