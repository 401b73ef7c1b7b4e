/** The distribution's response headers policy for pages and their parts. */
import { contentSecurityPolicy, referrerPolicy } from '../../system/site-headers.ts'

/** Pairs of name and value. Without Strict-Transport-Security: this front uses plain HTTP. */
export const securityHeaders: readonly string[] = [
  'content-security-policy',
  contentSecurityPolicy,
  'x-content-type-options',
  'nosniff',
  'x-frame-options',
  'DENY',
  'referrer-policy',
  referrerPolicy,
]
