/** The distribution's response headers policies for pages and their parts, and for what other sites may read. */
import type { IncomingMessage } from 'node:http'
import { corsExposedHeaders } from '../../core/gate/cors.ts'
import { contentSecurityPolicy, pageHeaders, turnstileOrigin, widgetHeaders } from '../../system/site-headers.ts'
import { isOpen } from './behaviours.ts'

/** Pairs of name and value. Without Strict-Transport-Security: this front uses plain HTTP. */
export const headersWith = (policy: string): readonly string[] =>
  Object.entries({ ...pageHeaders, 'content-security-policy': policy }).flat()

export const securityHeaders = headersWith(contentSecurityPolicy)

/** The same for the page with Turnstile's widget, for which another origin stands here. */
export function widgetSecurityHeaders(origin: string): readonly string[] {
  return Object.entries(widgetHeaders)
    .flat()
    .map((text) => text.replaceAll(turnstileOrigin, origin))
}

const corsHeaders: readonly string[] = [
  ...['access-control-allow-origin', '*'],
  ...['access-control-expose-headers', corsExposedHeaders.join(', ')],
]

/** Pairs of name and value for an answer that comes from a cache or an origin: CloudFront adds them where a request has an `Origin`. */
export function corsHeadersFor({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): readonly string[] {
  return headers.origin !== undefined && isOpen(url) ? corsHeaders : []
}
