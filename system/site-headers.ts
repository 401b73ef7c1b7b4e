/** Headers of every page and its files. No inline script runs. */

/** The policy of pages whose scripts may also send requests to `more`. */
const policyWith = (...more: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' https: data:",
    ["connect-src 'self'", ...more].join(' '),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

export const contentSecurityPolicy = policyWith()

/** The console alone sends pictures to the bucket of uploads, at `uploadOrigin`. */
export const consolePolicy = (uploadOrigin: string): string => policyWith(uploadOrigin)

export const referrerPolicy = 'strict-origin-when-cross-origin'

/** Of every page and its files, over plain HTTP as well. */
export const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': referrerPolicy,
} as const

/**
 * Two years, as browsers' preload lists require. The local system uses plain HTTP and does not send
 * it.
 */
export const strictTransportSeconds = 2 * 365 * 86_400
