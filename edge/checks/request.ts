/** Checks of the request itself, which need neither the sale nor the shopper. */
import { isJsonType } from '../../core/lib/json.ts'
import { shopKeyIn } from '../../core/orders/shop-key.ts'
import { signatureHeaders, stripeSignatureHeaders } from '../../core/orders/signature-headers.ts'
import type { ThrottleRule } from '../../core/sale/sale.ts'
import { bodyByteLength, type EdgeHeaders, type EdgeResponse, headerOf } from '../cloudfront.ts'
import { addressKey } from '../memory/addresses.ts'
import { prebuiltProblem, unavailableResponse } from '../problem-response.ts'
import { routeKinds, routes } from '../routes.ts'
import { answerWith, type Check, refuseForSeconds } from '../typed-funnel.ts'

export const notFoundResponse = prebuiltProblem('not-found', 'There is no such path.')

export function methodNotAllowedResponse(methods: readonly string[]): EdgeResponse {
  const allow = methods.join(', ')
  return prebuiltProblem('method-not-allowed', `Use ${allow}.`, {}, { allow })
}

export function tooLarge(maxBytes: number): EdgeResponse {
  return prebuiltProblem('too-large', maxBytes === 0 ? 'Send no body.' : `Send at most ${maxBytes} bytes.`)
}

export const notJson = prebuiltProblem(
  'unsupported-media-type',
  'Send the body as JSON with content-type: application/json.',
)

/** The answer of each route to a body over its limit. */
const tooLargeFor = new Map(routeKinds.map((kind) => [kind, tooLarge(routes[kind].maxBytes)]))

/** Opens the memory that belongs to the request's configuration. No request passes with an unusable one. */
export const loadMemory: Check<never, 'memory'> = (c, next) => {
  const memory = c.env.loadMemory()
  if (memory === undefined) return answerWith(c, unavailableResponse())
  c.set('memory', memory)
  return next()
}

/** Limits the size of the body, by the bytes that came, before any is decoded. CloudFront would accept 1 MB. */
export const checkSize: Check = (c, next) => {
  const { route, request } = c.env
  const { body } = request
  if (route === undefined) return answerWith(c, notFoundResponse)
  if (body === undefined) return next()
  const isTooLarge = body.inputTruncated || bodyByteLength(body) > routes[route].maxBytes
  return isTooLarge ? answerWith(c, tooLargeFor.get(route) ?? tooLarge(routes[route].maxBytes)) : next()
}

/** A body must be declared as JSON, once. HTML forms cannot declare it, which keeps forms of other sites out. */
export const checkContentType: Check = (c, next) => {
  const { body, headers } = c.env.request
  if (body === undefined || body.data === '') return next()
  const type = headerOf(headers, 'content-type')
  return type.kind === 'one' && isJsonType(type.value) ? next() : answerWith(c, notJson)
}

const plainQuery = /^[A-Za-z0-9_.=&%+:-]{0,512}$/

const badQuery = prebuiltProblem('invalid-request', 'query must be plain names and values', { field: 'query' })

/** Purchases and claims need no such check: their query is removed. */
export const checkQuery: Check = (c, next) =>
  plainQuery.test(c.env.request.querystring) ? next() : answerWith(c, badQuery)

const unsigned = prebuiltProblem('signature-invalid', 'Sign the message as your payment provider does.')

const signatureBounds = [signatureHeaders, stripeSignatureHeaders].map((headers) => Object.entries(headers))

/** Refuses webhooks without a signature. Only the function behind the gate has the secret and can verify one. */
export const checkSignatureShape: Check = (c, next) =>
  signatureBounds.some((bounds) =>
    bounds.every(([name, maxLength]) => isBounded(c.env.request.headers, name, maxLength)),
  )
    ? next()
    : answerWith(c, unsigned)

function isBounded(headers: EdgeHeaders, name: string, maxLength: number): boolean {
  const header = headerOf(headers, name)
  return header.kind === 'one' && header.value !== '' && header.value.length <= maxLength
}

/** The query that an identity provider adds to the callback, or the token of an email's link, may be long. */
const openQuery = /^[A-Za-z0-9_.~!$'()*,;:@/?&=%+-]{0,4096}$/

export const checkQueryWithoutSession: Check = (c, next) =>
  openQuery.test(c.env.request.querystring) ? next() : answerWith(c, badQuery)

/** A sign-in takes two requests, so an office of 1,500 behind one address can sign in within a minute. */
const openPerAddress: ThrottleRule = { limit: 3000, windowSeconds: 60 }

/** Limits requests that run a function without a session: sign-ins, links of emails, and tills. */
export const checkRateWithoutSession: Check<'memory'> = (c, next) => {
  const { request, now } = c.env
  const { rates } = c.get('memory')
  const address = `open ${addressKey(request.clientIp)}`
  const wait = rates.waitSeconds(address, openPerAddress, now)
  if (wait > 0) return refuseForSeconds(c, wait)
  rates.add(address, 1, openPerAddress, now)
  return next()
}

const withoutShopKey = prebuiltProblem('sign-in-required', 'Send a key of your shop as bearer token.')

/** Requires exactly one bearer token that looks like a shop key. Only the function has the digests. */
export const checkShopKey: Check<never, 'shopKey'> = (c, next) => {
  const header = headerOf(c.env.request.headers, 'authorization')
  const key = header.kind === 'one' ? shopKeyIn(header.value) : undefined
  if (key === undefined) return answerWith(c, withoutShopKey)
  c.set('shopKey', key)
  return next()
}

const webhookWindowSeconds = 10
const webhooksPerAddress: ThrottleRule = { limit: 1000, windowSeconds: webhookWindowSeconds }
const webhooksOverall: ThrottleRule = { limit: 3000, windowSeconds: webhookWindowSeconds }
const allWebhooks = 'webhooks'

/** The full window has ended after this wait. */
const tooManyWebhooks = prebuiltProblem('too-many-requests', `Try again in ${webhookWindowSeconds} s.`, {
  retryAfterSeconds: webhookWindowSeconds,
})

/**
 * Limits webhooks, because each one runs a function before its signature is known to be good. One
 * instance of the gate accepts a provider that reports 100 payments a second from one address, or
 * 300 from all.
 */
export const checkWebhookRate: Check<'memory'> = (c, next) => {
  const { request, now } = c.env
  const { rates } = c.get('memory')
  const address = `${allWebhooks} ${addressKey(request.clientIp)}`
  if (rates.waitSeconds(address, webhooksPerAddress, now) > 0) return answerWith(c, tooManyWebhooks)
  if (rates.waitSeconds(allWebhooks, webhooksOverall, now) > 0) return answerWith(c, tooManyWebhooks)
  rates.add(address, 1, webhooksPerAddress, now)
  rates.add(allWebhooks, 1, webhooksOverall, now)
  return next()
}
