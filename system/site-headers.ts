/** Headers of every page and its files. No inline script runs. */

export const contentSecurityPolicy = [
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

export const referrerPolicy = 'strict-origin-when-cross-origin'

/**
 * Two years, as browsers' preload lists require. The local system uses plain HTTP and does not send
 * it.
 */
export const strictTransportSeconds = 2 * 365 * 86_400
