/** The headers that every page and every part of one is sent with. No inline script ever runs. */

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

/** Two years, as browsers' own lists of such sites ask for. One machine speaks plain HTTP and does not send it. */
export const strictTransportSeconds = 2 * 365 * 86_400
