/**
 * The end of the funnel: hands the request on to its origin. Of the client's headers only those that the
 * functions need go on; identity comes from the verified token alone, and a webhook has none. CloudFront signs the
 * request over `x-amz-content-sha256`, so the body must not change after its bytes are hashed here.
 */
import { hash } from 'node:crypto'
import { signatureHeaders } from '../core/signature-headers.ts'
import { passedOn } from './adapter.ts'
import type { AppCheck } from './app-env.ts'
import { bodyBytes, type EdgeRequest } from './cloudfront.ts'
import { configPrefix } from './config.ts'
import type { Shopper } from './tokens.ts'
import type { Visit } from './visit.ts'

const common = ['host', 'user-agent', 'accept', 'content-type', 'x-forwarded-for']
const ofShoppers = new Set([...common, 'idempotency-key', 'origin'])
const ofProvider = new Set([...common, ...Object.keys(signatureHeaders)])

/** CloudFront answers 502 when a function changes one of these; none of them means anything to us. */
const untouchable =
  /^(?:accept-encoding|cdn-loop|connection|content-length|expect|if-.*|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|via|x-accel-.*|x-amz-cf-.*|x-amzn-.*|x-cache|x-edge-.*|x-forwarded-proto|x-real-ip)$/

/** Gives the request of a shopper or marketer, changed in place, back to CloudFront. */
export const forward: AppCheck = async (c) => {
  const { shopper, admission } = c.var
  const trusted = identityOf(shopper)
  if (admission !== undefined) trusted['x-admission'] = String(admission)
  prepareForOrigin(c.env.visit, ofShoppers, trusted)
  return passedOn
}

/** The same for a message that proves by its own signature where it comes from. */
export const forwardWebhook: AppCheck = async (c) => {
  prepareForOrigin(c.env.visit, ofProvider, {})
  return passedOn
}

function identityOf({ shopperId, level, roles }: Shopper): Record<string, string> {
  return { 'x-shopper-id': shopperId, 'x-shopper-level': String(level), 'x-shopper-roles': roles.join(',') }
}

function prepareForOrigin(
  { request, requestId, route }: Visit,
  kept: ReadonlySet<string>,
  identity: Record<string, string>,
): void {
  const { headers } = request
  for (const name of Object.keys(headers)) {
    if (!kept.has(name) && !untouchable.test(name)) delete headers[name]
  }
  const trusted = {
    ...identity,
    'x-request-id': requestId,
    'x-amz-content-sha256': hash('sha256', bodyBytes(request.body), 'hex'),
  }
  for (const [key, value] of Object.entries(trusted)) headers[key] = [{ key, value }]
  if ('saleId' in route) request.querystring = ''
  removeConfig(request)
}

/** The gate's own settings, its Redis token among them, are not for the origin. */
function removeConfig(request: EdgeRequest): void {
  const settings = request.origin?.custom?.customHeaders ?? {}
  for (const name of Object.keys(settings)) {
    if (name.toLowerCase().startsWith(configPrefix)) delete settings[name]
  }
}
