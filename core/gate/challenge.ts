/** How a sale checks that a shopper is a person (R5, N4). */

/** `pow`: a proof of work of the browser. `turnstile`: the widget of Cloudflare. */
export const challengeKinds = ['off', 'pow', 'turnstile'] as const
export type ChallengeKind = (typeof challengeKinds)[number]

/** When pages ask for their challenge, each at its own moment between these two before the start, ms. */
export const checkBeforeStartMs = { from: 120_000, until: 20_000 } as const

/** The gate says by this header that it has keys of Turnstile: control must refuse a sale that needs them. */
export const turnstileHeader = 'x-turnstile'

/** The static page with the widget: the only one that loads a script of another site. */
export const widgetPage = '/check/turnstile/'
