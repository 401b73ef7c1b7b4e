/** The distribution's response headers policy for pages and their parts. */
import { contentSecurityPolicy, referrerPolicy } from '../../system/site-headers.ts'

/** Pairs of name and value. Strict-Transport-Security is left to the cloud: this front speaks plain HTTP. */
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
