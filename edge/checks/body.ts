/**
 * Checks of where the request comes from and of what it asks for. The functions parse the body
 * again.
 */
import { readBuyRequest } from '../../core/buy/buy-request.ts'
import { parseIdempotencyKey } from '../../core/ids.ts'
import { readClaimRequest } from '../../core/packets/claim-request.ts'
import { bodyBytes, headerOf } from '../cloudfront.ts'
import { type Check, type RequestContext, refuse } from '../typed-funnel.ts'

/**
 * Requires calls that change something to come from one of our pages. Browsers name the page in
 * `Origin`. A caller without that header is no browser page and needs a bearer token, which no
 * browser adds by itself.
 */
export const checkOrigin: Check<'memory' | 'token'> = (c, next) => {
  if (c.env.request.method === 'GET') return next()
  return c.get('token').from === 'bearer' && !hasOrigin(c) ? next() : checkPageOrigin(c, next)
}

/** Requires a page of this shop, for requests whose cookies are all that a browser adds by itself. */
export const checkPageOrigin: Check<'memory'> = (c, next) => {
  const origin = headerOf(c.env.request.headers, 'origin')
  return origin.kind === 'one' && c.get('memory').config.origins.has(origin.value)
    ? next()
    : refuse(c, 'origin-not-allowed', 'Call this from a page of this shop.')
}

function hasOrigin({ env }: RequestContext): boolean {
  return headerOf(env.request.headers, 'origin').kind !== 'absent'
}

/** Parses a purchase (S2, S5). */
export const checkBuyRequest: Check<never, 'entry' | 'key' | 'basket'> = (c, next) => {
  const { headers, body } = c.env.request
  const header = headerOf(headers, 'idempotency-key')
  const key = header.kind === 'one' ? parseIdempotencyKey(header.value) : undefined
  if (key === undefined && header.kind !== 'absent') {
    const detail = 'Idempotency-Key must be given once, as 1 to 64 letters, digits or _ . : -'
    return refuse(c, 'invalid-request', detail, { field: 'Idempotency-Key' })
  }
  const buy = readBuyRequest(bodyBytes(body))
  if (!buy.ok) return refuse(c, 'invalid-request', buy.detail, { field: buy.field })
  c.set('entry', buy.value)
  c.set('basket', buy.value.basket)
  c.set('key', key)
  return next()
}

/** Parses a claim, which has no idempotency key: a shopper has one packet of a sale. */
export const checkClaimRequest: Check<never, 'entry' | 'key'> = (c, next) => {
  const claim = readClaimRequest(bodyBytes(c.env.request.body))
  if (!claim.ok) return refuse(c, 'invalid-request', claim.detail, { field: claim.field })
  c.set('entry', claim.value)
  return next()
}
