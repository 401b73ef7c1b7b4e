/** The distribution's response headers policy for pages and their parts. No inline script ever runs. */

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Pairs of name and value. Strict-Transport-Security is left to the cloud: this front speaks plain HTTP. */
export const securityHeaders: readonly string[] = [
  'content-security-policy',
  policy,
  'x-content-type-options',
  'nosniff',
  'referrer-policy',
  'strict-origin-when-cross-origin',
]
