/** The distribution's response headers policies for pages and their parts. */
import {
  contentSecurityPolicy,
  pageHeaders,
  turnstileOrigin,
  widgetHeaders,
} from '../../system/site-headers.ts'

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
