/**
 * Clicks that know of a newer opening than memory does. Facts are up to a second old, and a page gets its start token as soon
 * as it is published: a click with a token that memory does not have may be right. The facts are then read once more before it
 * is refused, for all such clicks together and `rereadsPerSecond` times at most, so that made-up tokens cost no more.
 */
import { fieldsIn, isStartToken } from '../core/entry.ts'
import { decodeJson } from '../core/json.ts'
import type { ThrottleRule } from '../core/sale.ts'
import { ofSale } from './app-env.ts'
import { bodyBytes } from './cloudfront.ts'
import type { GateFacts } from './gate-store.ts'
import type { Visit, VisitedSale } from './visit.ts'

/** For one sale and instance. */
const rereadsPerSecond: ThrottleRule = { limit: 4, windowSeconds: 1 }

/**
 * The facts as they were when the click came, or later, which become the visit's, where `startToken` is none that memory has;
 * undefined where there is no reason to ask, where too many had one, and where the store did not answer.
 */
export function lookForNewerOpening(
  visit: Visit,
  { saleId, facts }: VisitedSale,
  startToken: unknown,
): Promise<GateFacts | undefined> | undefined {
  const { memory, now } = visit
  if (!isStartToken(startToken) || startToken === facts.startToken) return undefined
  if (memory.rereads.waitSeconds(saleId, rereadsPerSecond, now) > 0) return undefined
  memory.rereads.add(saleId, 1, rereadsPerSecond, now)
  return Promise.resolve(memory.flags.lookSince(saleId, now)).then((known) => {
    if (known.kind !== 'sale') return undefined
    visit.facts = known.facts
    return known.facts
  })
}

/** The start token in the body, unchecked. */
export function startTokenIn({ request }: Visit): unknown {
  const decoded = decodeJson(bodyBytes(request.body))
  return decoded.ok ? fieldsIn(decoded.value)?.startToken : undefined
}

/** For clicks on a sale that is open by what memory has: the checks after this one go by the newest opening. */
export const checkNewerOpening = ofSale(async (c, next, sale) => {
  await lookForNewerOpening(c.env.visit, sale, c.var.entry.startToken)
  return next()
})
