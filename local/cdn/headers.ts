/**
 * The headers that CloudFront adds to pages and to answers for other sites, and those that an origin-request function
 * may see and change.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/edge-function-restrictions-all.html
 */

import type { IncomingMessage } from 'node:http'
import type { CloudFrontHeaders } from 'aws-lambda'
import { corsExposedHeaders } from '../../core/gate/cors.ts'
import {
  contentSecurityPolicy,
  openHeaders,
  pageHeaders,
  turnstileOrigin,
  widgetHeaders,
} from '../../system/site-headers.ts'
import { isOpen } from './behaviours.ts'

type Kind = 'open' | 'read-only' | 'forbidden'

const readOnly = new Set(['accept-encoding', 'cdn-loop', 'content-length', 'transfer-encoding', 'via'])
const forbidden = new Set([
  'connection',
  'expect',
  'keep-alive',
  'trailer',
  'upgrade',
  'x-cache',
  'x-forwarded-proto',
  'x-real-ip',
])
const forbiddenPrefixes = ['proxy-', 'x-accel-', 'x-amz-cf-', 'x-amzn-', 'x-edge-']

type Known = { name: string; kind: Kind }
const known = new Map<string, Known>()

/** Returns a header name in lower case, and what a function may do with it. */
export function headerKind(written: string): Known {
  const found = known.get(written)
  if (found !== undefined) return found
  const name = written.toLowerCase()
  const answer: Known = { name, kind: kindOf(name) }
  // Clients choose these names, so the cache needs a limit.
  if (known.size < 1000) known.set(written, answer)
  return answer
}

function kindOf(name: string): Kind {
  if (forbidden.has(name) || forbiddenPrefixes.some((prefix) => name.startsWith(prefix))) return 'forbidden'
  return readOnly.has(name) || name.startsWith('if-') ? 'read-only' : 'open'
}

/** Headers that a function may read but not change: pairs of name and value. */
export type ReadOnlyHeaders = readonly string[]

/**
 * Returns the name of a header for which CloudFront would answer 502, because the function added a forbidden one or
 * changed a read-only one; undefined when the request may go to the origin.
 */
export function illegalHeader(returned: CloudFrontHeaders, original: ReadOnlyHeaders): string | undefined {
  let readOnlySeen = 0
  for (const name in returned) {
    const { kind, name: lower } = headerKind(name)
    if (kind === 'forbidden' || name !== lower) return name
    if (kind === 'read-only') {
      for (const { value } of returned[name] ?? []) {
        if (!isOriginal(original, name, value)) return name
        readOnlySeen += 1
      }
    }
  }
  return readOnlySeen === original.length / 2 ? undefined : 'a read-only header that was removed'
}

function isOriginal(original: ReadOnlyHeaders, name: string, value: string): boolean {
  for (let i = 0; i < original.length; i += 2) {
    if (original[i] === name && original[i + 1] === value) return true
  }
  return false
}

/**
 * Returns the security headers of a page, pairs of name and value. Without Strict-Transport-Security: this front uses
 * plain HTTP.
 */
export const headersWith = (policy: string): readonly string[] =>
  Object.entries({ ...pageHeaders, 'content-security-policy': policy }).flat()

export const securityHeaders = headersWith(contentSecurityPolicy)

/** Security headers of files that pages of other sites load. */
export const openSecurityHeaders: readonly string[] = Object.entries(openHeaders).flat()

/** Returns the security headers of the page with Turnstile's widget; `origin` replaces Turnstile's. */
export function widgetSecurityHeaders(origin: string): readonly string[] {
  return Object.entries(widgetHeaders)
    .flat()
    .map((text) => text.replaceAll(turnstileOrigin, origin))
}

const corsHeaders: readonly string[] = [
  ...['access-control-allow-origin', '*'],
  ...['access-control-expose-headers', corsExposedHeaders.join(', ')],
]

/**
 * Returns the CORS headers, pairs of name and value, of an answer from a cache or an origin: CloudFront adds them when
 * a request has an `Origin`.
 */
export function corsHeadersFor({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): readonly string[] {
  return headers.origin !== undefined && isOpen(url) ? corsHeaders : []
}
