/**
 * `/api/sign-in`: the shopper's way to the identity provider and back, and the end and renewal of a
 * session. The first two are pages that a browser visits, so their problems are pages too.
 */

import { passCookieText, passLifeSeconds } from '../../core/gate/pass.ts'
import { problem } from '../../core/outcome.ts'
import { sessionCookieTexts } from '../../core/people/session-cookies.ts'
import {
  refreshCookie,
  shopOriginHeader,
  signInCookie,
  signInRoute,
} from '../../core/people/sign-in-paths.ts'
import { renderSignInProblem, type SignInProblem } from '../../static/pages/sign-in-problem.ts'
import { type HttpAnswer, jsonAnswer, problemAnswer, unavailable } from '../lib/http/answer.ts'
import { signInRequired } from '../lib/http/caller.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { createRouter } from '../lib/http/routes.ts'
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

type Context = { ports: SignInPorts; request: HttpRequest; shop: string }

const route = createRouter<Context>([
  { method: 'GET', path: signInRoute, run: begin },
  { method: 'GET', path: `${signInRoute}/callback`, run: finish },
  { method: 'POST', path: `${signInRoute}/refresh`, run: refresh },
  { method: 'POST', path: `${signInRoute}/end`, run: end },
])

/**
 * Answers one request of the sign-in.
 * @throws what is no failure of the issuer
 */
export async function answerSignIn(ports: SignInPorts, request: HttpRequest): Promise<HttpAnswer> {
  const shop = request.headers[shopOriginHeader]
  // The gate sets it, so this request did not pass the gate.
  if (shop === undefined) return problemAnswer(problem('not-found', 'There is no such path.'))
  return route(request, { ports, request, shop })
}

/** The name that the issuer's page may fill in. */
const maxHintLength = 200

async function begin({ ports, request, shop }: Context): Promise<HttpAnswer> {
  const back = request.query.get('return')
  const loginHint = request.query.get('login_hint')?.slice(0, maxHintLength)
  const asksAgain = request.query.get('prompt') === 'login'
  return orUnavailablePage(ports, back, async () => {
    const { url, cookie } = await beginSignIn(ports, shop, { back, loginHint, asksAgain })
    return redirect(url, [ownCookie(signInCookie, cookie, beginLifeSeconds, 'Lax')])
  })
}

async function finish({ ports, request, shop }: Context): Promise<HttpAnswer> {
  const cookie = cookieIn(request, signInCookie)
  return orUnavailablePage(ports, null, async () => {
    const query = request.query.toString()
    const language = languageOf(request.headers['accept-language'])
    const finished = await finishSignIn(ports, shop, { query, cookie, language })
    // A second tab may have begun another sign-in: its cookie stays, and ends by itself.
    if (finished.kind === 'refused') return problemPage('refused', finished.back ?? null)
    const { session, pass, back } = finished
    const used = ownCookie(signInCookie, '', 0, 'Lax')
    const passes = pass === undefined ? [] : [passCookieText(pass, passLifeSeconds)]
    return redirect(back, [...cookiesOf(session), ...passes, used])
  })
}

async function refresh({ ports, request, shop }: Context): Promise<HttpAnswer> {
  try {
    const session = await refreshSession(ports, shop, cookieIn(request, refreshCookie))
    // The cookie stays: another tab may just have replaced it.
    if (session === undefined) return signInRequired()
    return { ...jsonAnswer(200, { expiresInSeconds: session.seconds }), cookies: cookiesOf(session) }
  } catch (error) {
    reportUnavailable(ports, error)
    return unavailable(Math.random)
  }
}

/** The session here ends in any case; the issuer's own only where the page follows the address. */
async function end({ ports, shop }: Context): Promise<HttpAnswer> {
  const cookies = [
    ...sessionCookieTexts('', '', 0),
    passCookieText('', 0),
    ownCookie(refreshCookie, '', 0, 'Strict'),
  ]
  const endSessionUrl = await ports.provider.endSessionUrl(`${shop}/`).catch((error: unknown) => {
    reportUnavailable(ports, error)
    return undefined
  })
  return { ...jsonAnswer(200, endSessionUrl === undefined ? {} : { endSessionUrl }), cookies }
}

async function orUnavailablePage(
  ports: SignInPorts,
  back: string | null,
  respond: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  try {
    return await respond()
  } catch (error) {
    reportUnavailable(ports, error)
    return problemPage('unavailable', back)
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
      ? ownCookie(refreshCookie, '', 0, 'Strict')
      : ownCookie(refreshCookie, refresh, refreshLifeSeconds, 'Strict')
  return [...sessionCookieTexts(token, person.name, seconds), renewal]
}

/** A cookie for this function alone. The way back from the issuer is cross-site, so it needs `Lax`. */
function ownCookie(name: string, value: string, maxAgeSeconds: number, sameSite: 'Lax' | 'Strict'): string {
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=${signInRoute}; Secure; HttpOnly; SameSite=${sameSite}`
}

/** Of two cookies of one name neither counts: one of them may be planted. */
function cookieIn({ cookies = [] }: HttpRequest, name: string): string | undefined {
  const [first, ...others] = cookies.filter((cookie) => cookie.startsWith(`${name}=`))
  return others.length === 0 ? first?.slice(name.length + 1) : undefined
}

function redirect(location: string, cookies: readonly string[]): HttpAnswer {
  return { statusCode: 303, headers: { location, 'cache-control': 'no-store' }, body: '', cookies }
}

function problemPage(kind: SignInProblem, back: string | null): HttpAnswer {
  const again = back === null ? signInRoute : `${signInRoute}?return=${encodeURIComponent(back)}`
  return {
    statusCode: kind === 'unavailable' ? 503 : 400,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...(kind === 'unavailable' && { 'retry-after': '10' }),
    },
    body: renderSignInProblem(kind, again),
  }
}
