/** Headers of every page and its files, but for the one with a widget. No inline script runs. */

/** Returns the policy of pages whose scripts may also send requests to `more`. */
const policyWith = (...more: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' https: data:",
    ["connect-src 'self'", ...more].join(' '),
    // Our own frames, for the page of a security check.
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

export const contentSecurityPolicy = policyWith()

/** Returns the policy of the console, which sends pictures to the bucket of uploads, at `uploadOrigin`. */
export const consolePolicy = (uploadOrigin: string): string => policyWith(uploadOrigin)

export const referrerPolicy = 'strict-origin-when-cross-origin'

/** Headers of every page and its files, over plain HTTP as well. */
export const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': referrerPolicy,
} as const

/** Headers of public objects for pages of other sites, also with `Cross-Origin-Embedder-Policy: require-corp`. */
export const openHeaders = { ...pageHeaders, 'cross-origin-resource-policy': 'cross-origin' } as const

/**
 * The only other site whose scripts run, on the page of its widget alone
 * (https://developers.cloudflare.com/turnstile/reference/content-security-policy/).
 */
export const turnstileOrigin = 'https://challenges.cloudflare.com'

/** The policy of the page with Turnstile's widget (N4), which only pages of this site may frame. */
export const widgetSecurityPolicy = [
  "default-src 'none'",
  `script-src 'self' ${turnstileOrigin}`,
  `frame-src ${turnstileOrigin}`,
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** Headers of the page with Turnstile's widget, over plain HTTP as well. */
export const widgetHeaders = {
  ...pageHeaders,
  'content-security-policy': widgetSecurityPolicy,
  'x-frame-options': 'SAMEORIGIN',
} as const

/** Two years, as browsers' preload lists require. The local system uses plain HTTP and does not send it. */
export const strictTransportSeconds = 2 * 365 * 86_400
