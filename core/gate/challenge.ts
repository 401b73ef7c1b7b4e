/**
 * How a sale checks that a shopper is a person (R5, N4), and the body of
 * `POST /api/sales/{saleId}/challenge`. Written by hand because a schema library is a third of the
 * gate's size limit.
 */
import { fieldsIn } from '../buy/start-token.ts'
import { decodeJson } from '../lib/json.ts'
import type { Parsed } from '../lib/parse.ts'

/** `pow`: a proof of work of the browser. `turnstile`: the widget of Cloudflare. */
export const challengeKinds = ['off', 'pow', 'turnstile'] as const
export type ChallengeKind = (typeof challengeKinds)[number]

/**
 * When pages ask for their challenge, each at its own moment between these two before the start, ms.
 */
export const checkBeforeStartMs = { from: 120_000, until: 20_000 } as const

/**
 * By this header of a forwarded call the gate says that it has keys of Turnstile. Only the gate has
 * them, and control must refuse a sale that it could not serve.
 */
export const turnstileHeader = 'x-turnstile'

/** The static page with the widget: the only one that loads a script of another site. */
export const widgetPage = '/check/turnstile/'

/** `token` is what the widget gave to the page, once it has run. */
export type ChallengeRequest = { token?: string }

/** Turnstile names a length and no alphabet. */
const tokenPattern = /^[!-~]{1,2048}$/

/** The request in a JSON body, or its first fault; no body is one without a token. */
export function readChallengeRequest(body: Uint8Array): Parsed<ChallengeRequest> {
  if (body.length === 0) return { ok: true, value: {} }
  const decoded = decodeJson(body)
  if (!decoded.ok) return decoded
  const given = fieldsIn(decoded.value)
  if (given === undefined) return { ok: false, field: 'body', detail: 'body must be a JSON object' }
  const { token, ...others } = given
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return { ok: false, field: unknown, detail: `${unknown} is not a known field` }
  if (token === undefined) return { ok: true, value: {} }
  return typeof token === 'string' && tokenPattern.test(token)
    ? { ok: true, value: { token } }
    : { ok: false, field: 'token', detail: 'token is not a token of the security check' }
}
