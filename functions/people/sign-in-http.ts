/**
 * `/api/sign-in`: the shopper's way to the identity provider and back, and the end and renewal of a
 * session. The first two are pages that a browser visits, so their problems are pages too.
 */
import { signInApi } from '../../core/api/sign-in.ts'
import { passCookieText, passLifeSeconds } from '../../core/gate/pass.ts'
import type { Language } from '../../core/language.ts'
import { problem } from '../../core/outcome.ts'
import { sessionCookieTexts } from '../../core/people/session-cookies.ts'
import {
  refreshCookie,
  shopOriginHeader,
  signInCookie,
  signInCookieText,
  signInRoute,
} from '../../core/people/sign-in-paths.ts'
import { renderSignInProblem, type SignInProblem } from '../../static/pages/plain-page.ts'
import { answerOf, type HttpAnswer, problemAnswer, unavailable } from '../lib/http/answer.ts'
import { type Call, createApp, type Middleware, on, responseOf } from '../lib/http/app.ts'
import { signInRequired } from '../lib/http/caller.ts'
import { errorFacts } from '../lib/telemetry.ts'
import { IssuerUnavailable } from './identity-provider.ts'
import { languageOf } from './save-contact.ts'
import {
  beginLifeSeconds,
  beginSignIn,
  finishSignIn,
  refreshLifeSeconds,
  refreshSession,
  type Session,
  type SignInPorts,
} from './sign-in.ts'

/** A call with the address of the shop. */
type SignInCall = Pick<Call<(typeof signInApi)['beginSignIn'], string>, 'caller' | 'query' | 'headers'>

/** The longest name that the issuer's page fills in (`login_hint`), in characters. */
const maxHintLength = 200

const routes = [
  on(signInApi.beginSignIn, async (ports: SignInPorts, { caller: shop, query, headers }: SignInCall) => {
    const back = query.get('return')
    const loginHint = query.get('login_hint')?.slice(0, maxHintLength)
    const asksAgain = query.get('prompt') === 'login'
    return orUnavailablePage(ports, { headers, back }, async () => {
      const { url, cookie } = await beginSignIn(ports, shop, { back, loginHint, asksAgain })
      return redirect(url, [signInCookieText(signInCookie, cookie, beginLifeSeconds, 'Lax')])
    })
  }),
  on(signInApi.finishSignIn, async (ports: SignInPorts, { caller: shop, query, headers }: SignInCall) => {
    const cookie = cookieIn(headers, signInCookie)
    const language = languageOf(headers['accept-language'])
    return orUnavailablePage(ports, { headers, back: null }, async () => {
      const finished = await finishSignIn(ports, shop, { query: query.toString(), cookie, language })
      // A second tab may have begun another sign-in: its cookie stays, and ends by itself.
      if (finished.kind === 'refused') return problemPage('refused', finished.back ?? null, language)
      const { session, pass, back } = finished
      const used = signInCookieText(signInCookie, '', 0, 'Lax')
      const passes = pass === undefined ? [] : [passCookieText(pass, passLifeSeconds)]
      return redirect(back, [...cookiesOf(session), ...passes, used])
    })
  }),
  on(signInApi.refreshSession, async (ports: SignInPorts, { caller: shop, headers }: SignInCall) => {
    try {
      const session = await refreshSession(ports, shop, cookieIn(headers, refreshCookie))
      // The cookie stays: another tab may just have replaced it.
      if (session === undefined) return signInRequired()
      const answer = answerOf(signInApi.refreshSession, { expiresInSeconds: session.seconds })
      return { ...answer, cookies: cookiesOf(session) }
    } catch (error) {
      reportUnavailable(ports, error)
      return unavailable(Math.random)
    }
  }),
  // The session here ends in any case; the issuer's own only where the page follows the address.
  on(signInApi.endSession, async (ports: SignInPorts, { caller: shop }: SignInCall) => {
    const cookies = [
      ...sessionCookieTexts('', '', 0),
      passCookieText('', 0),
      signInCookieText(refreshCookie, '', 0, 'Strict'),
    ]
    const endSessionUrl = await ports.provider.endSessionUrl(`${shop}/`).catch((error: unknown) => {
      reportUnavailable(ports, error)
      return undefined
    })
    const answer = answerOf(signInApi.endSession, endSessionUrl === undefined ? {} : { endSessionUrl })
    return { ...answer, cookies }
  }),
]

/** The gate sets the address of the shop; a request without it did not pass the gate. */
const throughGate: Middleware = async (c, next) => {
  const shop = c.req.header(shopOriginHeader)
  if (shop === undefined) return responseOf(problemAnswer(problem('not-found', 'There is no such path.')))
  c.set('caller', shop)
  return next()
}

/** Answers requests of the sign-in. Failures of the issuer are pages, all others are thrown. */
export const signInApp = (ports: SignInPorts) => createApp(ports, routes, throughGate)

async function orUnavailablePage(
  ports: SignInPorts,
  { headers, back }: Pick<SignInCall, 'headers'> & { back: string | null },
  respond: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  try {
    return await respond()
  } catch (error) {
    reportUnavailable(ports, error)
    return problemPage('unavailable', back, languageOf(headers['accept-language']))
  }
}

/** @throws `error` unless it is the issuer's */
function reportUnavailable({ telemetry }: SignInPorts, error: unknown): void {
  if (!(error instanceof IssuerUnavailable)) throw error
  telemetry.meter.count('Unavailable')
  telemetry.log.error('identity provider unavailable', errorFacts(error))
}

function cookiesOf({ token, person, seconds, refresh }: Session): string[] {
  const renewal =
    refresh === undefined
      ? signInCookieText(refreshCookie, '', 0, 'Strict')
      : signInCookieText(refreshCookie, refresh, refreshLifeSeconds, 'Strict')
  return [...sessionCookieTexts(token, person.name, seconds), renewal]
}

/** The cookie of that name. Two of one name count as none, because one of them may be planted. */
function cookieIn({ cookie = '' }: SignInCall['headers'], name: string): string | undefined {
  const [first, ...others] = cookie.split('; ').filter((one) => one.startsWith(`${name}=`))
  return others.length === 0 ? first?.slice(name.length + 1) : undefined
}

function redirect(location: string, cookies: readonly string[]): HttpAnswer {
  return { statusCode: 303, headers: { location, 'cache-control': 'no-store' }, body: '', cookies }
}

function problemPage(kind: SignInProblem, back: string | null, language: Language): HttpAnswer {
  const again = back === null ? signInRoute : `${signInRoute}?return=${encodeURIComponent(back)}`
  return {
    statusCode: kind === 'unavailable' ? 503 : 400,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...(kind === 'unavailable' && { 'retry-after': '10' }),
    },
    body: renderSignInProblem(kind, again, language),
  }
}
