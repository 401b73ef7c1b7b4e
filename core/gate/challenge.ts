/** How a sale checks that a shopper is a person (R5, N4). */

/** `pow`: the browser solves a proof of work. `turnstile`: Cloudflare's widget. */
export const challengeKinds = ['off', 'pow', 'turnstile'] as const
export type ChallengeKind = (typeof challengeKinds)[number]

/** Each page requests its challenge at a random time in this interval before the start, ms. */
export const checkBeforeStartMs = { from: 120_000, until: 20_000 } as const

/** The gate sets this header if it has Turnstile keys. Without it the control API rejects a sale that needs them. */
export const turnstileHeader = 'x-turnstile'

/** The static page with the widget. No other page loads a script of another site. */
export const widgetPage = '/check/turnstile/'
