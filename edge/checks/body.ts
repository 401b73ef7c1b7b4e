/** Checks of where the request comes from and of what it asks for. The functions parse the body again. */
import { buyRequest, claimRequest } from '../../core/buy/requests.ts'
import { parseIdempotencyKey, parseOrderId, saleOfOrder } from '../../core/ids.ts'
import { readJson } from '../../core/lib/parse.ts'
import { bodyBytes, headerOf } from '../cloudfront.ts'
import { type Check, onceKnown, type RequestContext, refuse, refuseForNow } from '../typed-funnel.ts'

/**
 * Requires calls that change something to come from a page of the shop. Browsers name the page in
 * `Origin`. A caller without that header is no browser page and needs a bearer token, which no
 * browser adds by itself. Pages of other sites may read, with a bearer token: browsers also send a cookie between
 * hosts of one domain, such as `shop.example` and `sale.shop.example`.
 */
export const checkOrigin: Check<'memory' | 'token'> = (c, next) => {
  const isRead = c.env.request.method === 'GET'
  const isBearer = c.get('token').from === 'bearer'
  const hasOrigin = headerOf(c.env.request.headers, 'origin').kind !== 'absent'
  const isFree = hasOrigin ? isRead && isBearer : isRead || isBearer
  return isFree ? next() : checkPageOrigin(c, next)
}

/**
 * Checks the origin of a purchase or claim: a sale may name pages of other sites that sell it. These
 * pages send a bearer token, which no browser adds by itself; a cookie is never enough there.
 */
export const checkSaleOrigin: Check<'memory' | 'sale' | 'token'> = (c, next) =>
  isNamed(otherPageOf(c), c.get('sale').facts.rules.allowedOrigins) ? next() : checkOrigin(c, next)

/** Checks the origin of a request with a cookie early, so that a forged one uses up no rate of the shopper. */
export const checkCookieOrigin: Check<'memory' | 'token'> = (c, next) =>
  c.get('token').from === 'cookie' ? checkOrigin(c, next) : next()

/** Checks the origin of a change of an order, by its sale: the id of an order begins with that of the sale. */
export const checkOrderOrigin: Check<'memory' | 'token'> = (c, next) => {
  const page = otherPageOf(c)
  const orderId = parseOrderId(c.env.request.uri.split('/')[3])
  if (page === undefined || orderId === undefined) return checkOrigin(c, next)
  return onceKnown(c.get('memory').flags.get(saleOfOrder(orderId)), (known) => {
    if (known.kind === 'unavailable') return refuseForNow(c)
    return known.kind === 'sale' && isNamed(page, known.facts.rules.allowedOrigins) ? next() : checkOrigin(c, next)
  })
}

/** The origin of a page of another site that sends a bearer token; undefined for all other callers. */
function otherPageOf(c: RequestContext<'memory' | 'token'>): string | undefined {
  const origin = headerOf(c.env.request.headers, 'origin')
  const isOther = origin.kind === 'one' && !c.get('memory').config.origins.has(origin.value)
  return isOther && c.get('token').from === 'bearer' ? origin.value : undefined
}

const isNamed = (page: string | undefined, allowed: readonly string[] = []): boolean =>
  page !== undefined && allowed.includes(page)

/** Requires a page of this shop, for requests whose cookies are all that a browser adds by itself. */
export const checkPageOrigin: Check<'memory'> = (c, next) => {
  const origin = headerOf(c.env.request.headers, 'origin')
  return origin.kind === 'one' && c.get('memory').config.origins.has(origin.value)
    ? next()
    : refuse(c, 'origin-not-allowed', 'Call this from a page of this shop.')
}

/** Parses a purchase (S2, S5). */
export const checkBuyRequest: Check<never, 'body' | 'key' | 'variant'> = (c, next) => {
  const { headers, body } = c.env.request
  const header = headerOf(headers, 'idempotency-key')
  const key = header.kind === 'one' ? parseIdempotencyKey(header.value) : undefined
  if (key === undefined && header.kind !== 'absent') {
    const detail = 'Idempotency-Key must be given once, as 1 to 64 letters, digits or _ . : -'
    return refuse(c, 'invalid-request', detail, { field: 'Idempotency-Key' })
  }
  const buy = readJson(buyRequest, bodyBytes(body))
  if (!buy.ok) return refuse(c, 'invalid-request', buy.detail, { field: buy.field })
  c.set('body', buy.value)
  c.set('variant', buy.value.variant)
  c.set('key', key)
  return next()
}

/** Parses a claim, which has no idempotency key: a shopper has one packet of a sale. */
export const checkClaimRequest: Check<never, 'body' | 'key'> = (c, next) => {
  const claim = readJson(claimRequest, bodyBytes(c.env.request.body))
  if (!claim.ok) return refuse(c, 'invalid-request', claim.detail, { field: claim.field })
  c.set('body', claim.value)
  return next()
}
