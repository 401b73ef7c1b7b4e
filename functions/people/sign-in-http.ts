/**
 * `/api/sign-in`: sends the shopper to the identity provider and back, and renews and ends the session. A browser visits
 * the first two calls as pages, so their problems are pages too. Encrypted cookies of the shopper's browser keep the state
 * of a sign-in; only the contact is stored.
 */
import { hash } from 'node:crypto'
import * as z from 'zod/mini'
import { signInApi } from '../../core/api/sign-in.ts'
import { passCookieText, passHeader, passLifeSeconds, passPattern } from '../../core/gate/pass.ts'
import type { Language } from '../../core/language.ts'
import { parse } from '../../core/lib/parse.ts'
import { userAgent } from '../../core/lib/user-agent.ts'
import { problem } from '../../core/outcome.ts'
import { safeReturnPath } from '../../core/people/return-path.ts'
import { sessionCookieTexts } from '../../core/people/session.ts'
import {
  refreshCookie,
  shopOriginHeader,
  signInCookiePrefix,
  signInCookieText,
  signInRoute,
} from '../../core/people/sign-in-paths.ts'
import { renderSignInProblem, type SignInProblem } from '../../templates/pages/plain-page.ts'
import { answerOf, type HttpAnswer, problemAnswer, unavailable } from '../lib/http/answer.ts'
import { type Call, createApp, type Middleware, on, signInRequired } from '../lib/http/app.ts'
import { responseOf } from '../lib/http/stand-ins.ts'
import type { Sealer } from '../lib/sealer.ts'
import type { SignToken } from '../lib/session-token.ts'
import { errorFacts, type Log, type Telemetry } from '../lib/telemetry.ts'
import { type Person, readPerson } from './identity-claims.ts'
import { type IdentityProvider, IssuerUnavailable, type Tokens } from './identity-provider.ts'
import { acceptedLanguage, type SaveContact } from './save-contact.ts'
import { isWaived, provesSecondFactor, type SignInSettings } from './sign-in-settings.ts'

/** A call whose caller is the origin of the shop. */
type SignInCall = Pick<Call<(typeof signInApi)['beginSignIn'], string>, 'caller' | 'query' | 'headers'>

/** The longest `login_hint`, in characters. */
const maxHintLength = 200

const routes = [
  on(signInApi.beginSignIn, async (ports: SignInPorts, { caller: shop, query, headers }: SignInCall) => {
    const back = query.get('return')
    const loginHint = query.get('login_hint')?.slice(0, maxHintLength)
    const forcesLogin = query.get('prompt') === 'login'
    return withUnavailablePage(ports, { headers, back }, async () => {
      const { url, name, cookie } = await beginSignIn(ports, shop, { back, loginHint, forcesLogin })
      const old = await oldAttempts(ports, shop, headers)
      const expired = old.map((one) => signInCookieText(one, '', 0, 'Lax'))
      return redirect(url, [signInCookieText(name, cookie, beginLifeSeconds, 'Lax'), ...expired])
    })
  }),
  on(signInApi.finishSignIn, async (ports: SignInPorts, { caller: shop, query, headers }: SignInCall) => {
    const name = attemptCookie(query.get('state') ?? '')
    const cookie = cookieIn(headers, name)
    const language = acceptedLanguage(headers['accept-language'])
    return withUnavailablePage(ports, { headers, back: null }, async () => {
      const finished = await finishSignIn(ports, shop, { query: query.toString(), cookie, language })
      if (finished.kind === 'refused') return problemPage('refused', finished.back ?? null, language)
      const { session, pass, back } = finished
      const used = signInCookieText(name, '', 0, 'Lax')
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
      return unavailable()
    }
  }),
  // The shop's session always ends. The issuer's session ends only when the page opens `endSessionUrl`.
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

/** Rejects a request without the gate's header, and sets the origin of the shop as the caller. */
const requireGate: Middleware = async (c, next) => {
  const shop = c.req.header(shopOriginHeader)
  if (shop === undefined) return responseOf(problemAnswer(problem('not-found', 'There is no such path.')))
  c.set('caller', shop)
  return next()
}

/** Answers requests of the sign-in. A failure of the issuer is answered with a page or a problem; others are thrown. */
export const signInApp = (ports: SignInPorts) => createApp(ports, routes, requireGate)

async function withUnavailablePage(
  ports: SignInPorts,
  { headers, back }: Pick<SignInCall, 'headers'> & { back: string | null },
  respond: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  try {
    return await respond()
  } catch (error) {
    reportUnavailable(ports, error)
    return problemPage('unavailable', back, acceptedLanguage(headers['accept-language']))
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

/** Returns the cookie of that name. Two cookies of one name count as none, because one may be planted. */
function cookieIn({ cookie = '' }: SignInCall['headers'], name: string): string | undefined {
  const [first, ...others] = cookie.split('; ').filter((one) => one.startsWith(`${name}=`))
  return others.length === 0 ? first?.slice(name.length + 1) : undefined
}

/** Returns the distinct names of cookies that start with `prefix` and that this site could have set. */
function cookieNames({ cookie = '' }: SignInCall['headers'], prefix: string): string[] {
  const names = cookie.split('; ').map((one) => one.slice(0, one.indexOf('=')))
  return [...new Set(names)].filter((name) => name.startsWith(prefix) && /^\w[\w-]*$/.test(name)).slice(0, 50)
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

export type SignInPorts = {
  provider: IdentityProvider
  cookies: Sealer
  settings: Pick<SignInSettings, 'claims' | 'session' | 'secondFactor'>
  signToken: SignToken
  getPass: GetPass
  saveContact: SaveContact
  telemetry: Telemetry
}

/** Time to type a password and a code from a phone, s. */
const beginLifeSeconds = 15 * 60

/** The browser keeps the refresh token this long, s; the issuer decides how long it is valid. */
const refreshLifeSeconds = 30 * 86_400

/** Browsers keep at most 4,096 bytes of one cookie, with its name and attributes. */
const maxSealedLength = 3900

const remembered = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), back: z.string() })
/** `secondFactor` comes from the sign-in: an issuer need not repeat it in a renewed ID token. */
const renewable = z.object({ token: z.string(), shopperId: z.string(), secondFactor: z.optional(z.boolean()) })

/** `refresh` is the content of the refresh cookie; undefined when the issuer gave no refresh token. */
type Session = { token: string; person: Person; seconds: number; refresh: string | undefined }

/** `back` is where the shopper came from, if known; `pass` is undefined when the gate gives none. */
type SignInResult =
  | { kind: 'signed-in'; session: Session; pass: string | undefined; back: string }
  | { kind: 'refused'; back: string | undefined }

/** Returns the name of an attempt's cookie, hashed so that it does not reveal the state. */
const attemptCookie = (state: string): string => signInCookiePrefix + hash('sha256', state, 'base64url').slice(0, 16)

/** Concurrent sign-ins of a browser, at most: a cookie may have 2 kB, and a request 10 kB of headers. */
const maxAttempts = 4

/** Returns the cookies to delete so that one more attempt fits: cookies that do not open, then the oldest. */
async function oldAttempts({ cookies }: SignInPorts, shop: string, headers: SignInCall['headers']): Promise<string[]> {
  const found = cookieNames(headers, signInCookiePrefix)
  if (found.length < maxAttempts) return []
  const attempts = await Promise.all(
    found.map(async (name) => {
      const content = await cookies.open({ purpose: 'sign-in', owner: shop }, cookieIn(headers, name) ?? '')
      return { name, endsAt: content?.exp ?? 0 }
    }),
  )
  // A browser sends the newer one of two cookies from the same second later.
  const newestFirst = attempts.toReversed().toSorted((a, b) => b.endsAt - a.endsAt)
  return newestFirst.slice(maxAttempts - 1).map(({ name }) => name)
}

/** Returns the address of the issuer, and the cookie that the callback needs. */
async function beginSignIn(
  { provider, cookies }: SignInPorts,
  shop: string,
  options: { back: string | null; loginHint: string | undefined; forcesLogin: boolean },
): Promise<{ url: string; name: string; cookie: string }> {
  const { url, checks } = await provider.begin(callbackOf(shop), options)
  const content = { ...checks, back: safeReturnPath(options.back) }
  const cookie = await cookies.seal({ purpose: 'sign-in', owner: shop }, content, beginLifeSeconds)
  return { url, name: attemptCookie(checks.state), cookie }
}

/** Opens a session. `query` comes from the issuer, `cookie` from `beginSignIn`, `language` from the browser. */
async function finishSignIn(
  ports: SignInPorts,
  shop: string,
  { query, cookie, language }: { query: string; cookie: string | undefined; language: Language },
): Promise<SignInResult> {
  const { provider, cookies, telemetry } = ports
  const content = cookie === undefined ? undefined : await cookies.open({ purpose: 'sign-in', owner: shop }, cookie)
  const known = parse(remembered, content)
  if (!known.ok) return refused(telemetry, 'the cookie of this sign-in is missing, expired or not ours')
  const { back: options, ...checks } = known.value
  const back = safeReturnPath(options)
  const grant = await provider.finish(new URL(`${callbackOf(shop)}?${query}`), checks)
  if (grant.kind === 'refused') return refused(telemetry, grant.reason, back)
  const session = await openSession(ports, shop, grant.tokens, false)
  if (session === undefined) return refused(telemetry, 'the claims hold no valid shopper id', back)
  const [pass] = await Promise.all([
    ports.getPass(shop, session.token),
    ports.saveContact(session.person.shopperId, grant.tokens.claims, language),
  ])
  return { kind: 'signed-in', session, pass, back }
}

/** Opens a new session for the refresh cookie's shopper; undefined when the issuer does not renew it. */
async function refreshSession(
  ports: SignInPorts,
  shop: string,
  cookie: string | undefined,
): Promise<Session | undefined> {
  const { provider, cookies, telemetry } = ports
  const content = cookie === undefined ? undefined : await cookies.open({ purpose: 'refresh', owner: shop }, cookie)
  const known = parse(renewable, content)
  if (!known.ok) return undefined
  const grant = await provider.refresh(known.value.token)
  if (grant.kind === 'refused') {
    refused(telemetry, grant.reason)
    return undefined
  }
  const session = await openSession(ports, shop, grant.tokens, known.value.secondFactor === true)
  // OpenID Connect Core 1.0, 12.2: the subject must be the same.
  return session?.person.shopperId === known.value.shopperId ? session : undefined
}

async function openSession(
  { settings, signToken, cookies, telemetry }: SignInPorts,
  shop: string,
  { claims, refreshToken }: Tokens,
  hadSecondFactor: boolean,
): Promise<Session | undefined> {
  const known = readPerson(settings.claims, claims)
  if (known === undefined) return undefined
  const secondFactor = hadSecondFactor || provesSecondFactor(settings.secondFactor, claims)
  const person = secondFactor || isWaived(settings.secondFactor) ? known : { ...known, roles: [] }
  if (person.roles.length < known.roles.length) {
    telemetry.log.warn('roles withheld: the ID token names no second factor', { roles: known.roles })
  }
  const { issuer, audience, seconds } = settings.session
  const token = await signToken(person, { issuer, audience, expiresInSeconds: seconds })
  if (refreshToken === undefined) return { token, person, seconds, refresh: undefined }
  const content = { token: refreshToken, shopperId: person.shopperId, secondFactor }
  const refresh = await cookies.seal({ purpose: 'refresh', owner: shop }, content, refreshLifeSeconds)
  if (refresh.length <= maxSealedLength) return { token, person, seconds, refresh }
  telemetry.log.warn('refresh token does not fit into a cookie', { length: refresh.length })
  return { token, person, seconds, refresh: undefined }
}

function refused({ meter, log }: Telemetry, reason: string, back?: string): SignInResult {
  meter.count('SignInRefused')
  log.info('sign-in refused', { reason })
  return { kind: 'refused', back }
}

function callbackOf(shop: string): string {
  return `${shop}/api/sign-in/callback`
}

/** The gate answers within tens of milliseconds. Without a pass the page requests one. */
const timeoutMs = 1000

/** Asks the gate for the pass of a new session, for its first click. `shop` is the shop's origin. Undefined without a pass. */
export type GetPass = (shop: string, token: string) => Promise<string | undefined>

export function passFetcher(fetch: typeof globalThis.fetch, log: Log): GetPass {
  return async (shop, token) => {
    try {
      const response = await fetch(`${shop}/api/pass`, {
        headers: { authorization: `Bearer ${token}`, 'user-agent': userAgent(shop) },
        signal: AbortSignal.timeout(timeoutMs),
      })
      // An unread body would block the connection.
      await response.arrayBuffer()
      const pass = response.headers.get(passHeader) ?? ''
      return passPattern.test(pass) ? pass : undefined
    } catch (error) {
      // A sign-in succeeds without a pass.
      log.warn('no pass for a new session', errorFacts(error))
      return undefined
    }
  }
}
