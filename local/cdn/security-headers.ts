/** The distribution's response headers policies for pages and their parts. */
import { contentSecurityPolicy, pageHeaders } from '../../system/site-headers.ts'

/** Pairs of name and value. Without Strict-Transport-Security: this front uses plain HTTP. */
export const headersWith = (policy: string): readonly string[] =>
  Object.entries({ ...pageHeaders, 'content-security-policy': policy }).flat()

export const securityHeaders = headersWith(contentSecurityPolicy)
