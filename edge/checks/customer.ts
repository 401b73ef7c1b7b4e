/**
 * The shop's own customers (core/people/customer-keys.ts): the session for a token that the shop has signed, and the
 * way to the shop's own page for signing in. Both are answered here, so a million customers start no function.
 */
import { passCookieText, passLifeSeconds } from '../../core/gate/pass.ts'
import { safeReturnPath } from '../../core/people/return-path.ts'
import { sessionCookie, sessionCookieTexts } from '../../core/people/session.ts'
import { refreshCookie, signInCookieText, signInRoute } from '../../core/people/sign-in-paths.ts'
import type { ThrottleRule } from '../../core/sale/sale.ts'
import { cookiesIn, type EdgeResponse } from '../cloudfront.ts'
import { jsonResponse, prebuiltProblem } from '../problem-response.ts'
import { answerWith, type Check, onceKnown, refuse, refuseForSeconds } from '../typed-funnel.ts'
import { newPass } from './pass.ts'
import { withoutToken } from './shopper.ts'

/** Browsers keep at most 4,096 bytes of a cookie with its name and attributes. */
const maxTokenLength = 3900

/** A page takes one when it opens. */
const sessionsPerShopper: ThrottleRule = { limit: 30, windowSeconds: 60 }

const notCustomer = prebuiltProblem(
  'invalid-request',
  'Authorization must hold a token that the shop has signed for a customer.',
  { field: 'Authorization' },
)
const tooLong = prebuiltProblem('too-large', `A token of a customer has at most ${maxTokenLength} characters.`, {
  field: 'Authorization',
})

const otherSession = prebuiltProblem(
  'conflict',
  'Another person is signed in. End that session at /api/sign-in/end first, if that person agrees.',
)

/** A link from anywhere may bring a token, so it must not sign a person in as someone else without a question. */
export const checkOtherSession: Check<'memory' | 'shopper'> = (c, next) => {
  const { lists, tokens } = c.get('memory')
  const [token = '', ...others] = cookiesIn(c.env.request.headers, sessionCookie)
  const present = others.length === 0 ? tokens.verify(token, lists.known().customers.issuers) : undefined
  if (present === undefined || present === 'expired') return next()
  return present.shopperId === c.get('shopper').shopperId ? next() : answerWith(c, otherSession)
}

/** Answers `POST /api/sign-in/customer`: the token becomes the cookie of the session, for as long as it lasts. */
export const openCustomerSession: Check<'memory' | 'token' | 'shopper'> = (c) => {
  const { throttle } = c.get('memory')
  const { text, from } = c.get('token')
  const { shopperId, customer } = c.get('shopper')
  if (from !== 'bearer' || customer === undefined) return answerWith(c, notCustomer)
  if (text.length > maxTokenLength) return answerWith(c, tooLong)
  const pace = throttle.judge('customer sessions', shopperId, sessionsPerShopper)
  if (pace.kind === 'too-fast') return refuseForSeconds(c, pace.waitSeconds)
  const expiresInSeconds = Math.floor((customer.expiresAt - c.env.now) / 1000)
  // The last seconds within the leeway of the clocks are no session.
  if (expiresInSeconds < 1) return refuse(c, 'sign-in-required', 'Sign in again.')
  const pass = newPass(c)
  const cookies = [
    ...sessionCookieTexts(text, customer.name, expiresInSeconds),
    // The refresh token of an earlier person is removed: it would bring that session back after this one.
    signInCookieText(refreshCookie, '', 0, 'Strict'),
    ...(pass === undefined ? [] : [passCookieText(pass, passLifeSeconds)]),
  ]
  return answerWith(c, withCookies({ shopperId, name: customer.name, expiresInSeconds }, cookies))
}

function withCookies(body: object, cookies: readonly string[]): EdgeResponse {
  const answer = jsonResponse(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }, body)
  const entries = cookies.map((value) => ({ key: 'set-cookie', value }))
  return { ...answer, headers: { ...answer.headers, 'set-cookie': entries } }
}

/** Redirects a sign-in to the shop's own page, with the way back. Staff sign in at its identity provider. */
export const redirectToShopSignIn: Check<'memory'> = (c, next) => {
  const { uri, querystring } = c.env.request
  const back = safeReturnPath(new URLSearchParams(querystring).get('return'))
  if (uri !== signInRoute || /^\/console(?:\/|$)/.test(back)) return next()
  const { lists, config } = c.get('memory')
  return onceKnown(lists.get(), ({ customers: { signInUrl } }) => {
    const [shop = ''] = config.origins
    return signInUrl === undefined ? next() : answerWith(c, seeOther(addReturn(signInUrl, shop + back)))
  })
}

function addReturn(signInUrl: string, back: string): string {
  const url = new URL(signInUrl)
  url.searchParams.set('return', back)
  return url.href
}

function seeOther(location: string): EdgeResponse {
  return {
    status: '303',
    headers: {
      location: [{ key: 'location', value: location }],
      'cache-control': [{ key: 'cache-control', value: 'no-store' }],
    },
    body: '',
    bodyEncoding: 'text',
  }
}

/** A renewal without the cookie that only its function can read would start the function for nothing. */
export const checkRefreshCookie: Check = (c, next) => {
  const { uri, headers } = c.env.request
  const isRenewal = uri === `${signInRoute}/refresh`
  return isRenewal && cookiesIn(headers, refreshCookie).length === 0 ? answerWith(c, withoutToken) : next()
}
