/**
 * The last steps of the funnels: they forward the request to its origin, with the client headers that the functions need and
 * those that CloudFront does not let them remove. Identity comes from the verified token alone, and a webhook has none. The
 * URL of a function accepts only requests that CloudFront has signed. The signature covers `x-amz-content-sha256`, so the body
 * must not change after it is hashed here.
 */
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { turnstileHeader } from '../../core/gate/challenge.ts'
import { notUtf8 } from '../../core/lib/json.ts'
import { shopAddressHeader, shopKeyHeader } from '../../core/orders/shop-key.ts'
import { signatureHeaders, stripeSignatureHeaders } from '../../core/orders/signature-headers.ts'
import { sessionKeyHeader } from '../../core/people/session.ts'
import { refreshCookie, shopOriginHeader, signInCookiePrefix } from '../../core/people/sign-in-paths.ts'
import { bodyBytes, cookiePairs, type EdgeHeaders, type EdgeRequest } from '../cloudfront.ts'
import { configPrefix } from '../config.ts'
import { addressKey } from '../memory/addresses.ts'
import type { Shopper } from '../memory/tokens.ts'
import { answerWith, type Check, type RequestContext, refuse } from '../typed-funnel.ts'

const common = ['host', 'user-agent', 'accept', 'content-type', 'x-forwarded-for']
const shopperHeaders = new Set([...common, 'idempotency-key', 'origin'])
const buyerHeaders = new Set([...shopperHeaders, 'referer'])
const readerHeaders = new Set([...common, 'accept-language'])
const visitorHeaders = new Set([...readerHeaders, 'origin'])
const providerHeaders = new Set([...common, ...Object.keys({ ...signatureHeaders, ...stripeSignatureHeaders })])

/** CloudFront answers 502 when an edge function changes one of these. The origins use none of them. */
const readOnlyHeaders =
  /^(?:accept-encoding|cdn-loop|connection|content-length|expect|if-.*|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|via|x-accel-.*|x-amz-cf-.*|x-amzn-.*|x-cache|x-edge-.*|x-forwarded-proto|x-real-ip)$/

/** Forwards a purchase or a claim, with its admission and without a query. */
export const forwardPurchase: Check<'sale' | 'shopper' | 'body' | 'solved' | 'admission'> = (c) => {
  c.env.request.querystring = ''
  const identity = identityOf(c.get('shopper'))
  return forwardWith(c, buyerHeaders, { ...identity, 'x-admission': String(c.get('admission')) })
}

export const forward: Check<'shopper'> = (c) => forwardWith(c, shopperHeaders, identityOf(c.get('shopper')))

/** Forwards a call of the control API, and tells it whether Turnstile is configured, which only the gate knows. */
export const forwardControl: Check<'memory' | 'shopper'> = (c) => {
  const { turnstile } = c.get('memory').config
  const known: Record<string, string> = turnstile === undefined ? {} : { [turnstileHeader]: 'ready' }
  const shopper = c.get('shopper')
  return forwardWith(c, shopperHeaders, { ...identityOf(shopper), [sessionKeyHeader]: shopper.keyId, ...known })
}

/** Forwards a request that a token in its query authenticates. The answer may be a page. */
export const forwardWithoutSession: Check = (c) => forwardWith(c, readerHeaders, {})

/** Forwards a request of a shop with its key, and the address by which the function counts it. */
export const forwardShop: Check<'shopKey'> = (c) =>
  forwardWith(c, shopperHeaders, {
    [shopKeyHeader]: c.get('shopKey'),
    [shopAddressHeader]: addressKey(c.env.request.clientIp),
  })

/** Forwards a message that proves its sender by its own signature. */
export const forwardWebhook: Check = (c) => forwardWith(c, providerHeaders, {})

/**
 * Forwards a request of the sign-in, with the cookies that only its function reads, and the shop's own
 * origin: the first of the configured origins, because a function does not see the host of the request.
 */
export const forwardSignIn: Check<'memory'> = (c) => {
  const [shop = ''] = c.get('memory').config.origins
  const own = cookiePairs(c.env.request.headers, [signInCookiePrefix, `${refreshCookie}=`])
  const cookie: Record<string, string> = own.length === 0 ? {} : { cookie: own.join('; ') }
  return forwardWith(c, visitorHeaders, { ...cookie, [shopOriginHeader]: shop })
}

function identityOf({ shopperId, level, roles }: Shopper): Record<string, string> {
  return { 'x-shopper-id': shopperId, 'x-shopper-level': String(level), 'x-shopper-roles': roles.join(',') }
}

/**
 * Changes the request in place, because an answer that is the same object as the request means that it is forwarded. Its
 * headers are a new object, because deleting most of the former ones costs more. Refuses a body that is not UTF-8: a function
 * URL forwards JSON as text and would replace the invalid bytes.
 */
function forwardWith(c: RequestContext, kept: ReadonlySet<string>, added: Record<string, string>): Promise<Response> {
  const { request, requestId } = c.env
  const body = bodyBytes(request.body)
  if (!isUtf8(body)) return refuse(c, 'invalid-request', notUtf8, { field: 'body' })
  const headers: EdgeHeaders = {}
  for (const [name, entries] of Object.entries(request.headers)) {
    if (kept.has(name) || readOnlyHeaders.test(name)) headers[name] = entries
  }
  const trusted = {
    ...added,
    'x-request-id': requestId,
    'x-amz-content-sha256': hash('sha256', body, 'hex'),
  }
  for (const [key, value] of Object.entries(trusted)) headers[key] = [{ key, value }]
  request.headers = headers
  removeConfig(request)
  return answerWith(c, request)
}

/** The gate's settings, with its Redis tokens among them, must not reach the origin. */
function removeConfig(request: EdgeRequest): void {
  const settings = request.origin?.custom?.customHeaders ?? {}
  for (const name of Object.keys(settings)) {
    if (name.toLowerCase().startsWith(configPrefix)) delete settings[name]
  }
}
