/**
 * Sign-in at the shop's identity provider. What a sign-in must remember is in encrypted cookies of the
 * shopper's own browser; only the contact is stored.
 */
import * as z from 'zod/mini'
import type { Language } from '../../core/language.ts'
import { parse } from '../../core/lib/parse.ts'
import { safeReturnPath } from '../../core/people/return-path.ts'
import type { Sealer } from '../lib/sealer.ts'
import type { SignToken } from '../lib/session-token.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import { type Person, personIn } from './identity-claims.ts'
import type { IdentityProvider, Tokens } from './identity-provider.ts'
import type { SaveContact } from './save-contact.ts'
import { isWaived, provesSecondFactor } from './second-factor.ts'
import type { GetPass } from './shop-pass.ts'
import type { SignInSettings } from './sign-in-settings.ts'

export type SignInPorts = {
  provider: IdentityProvider
  cookies: Sealer
  settings: Pick<SignInSettings, 'claims' | 'session' | 'secondFactor'>
  signToken: SignToken
  getPass: GetPass
  saveContact: SaveContact
  telemetry: Telemetry
}

/** Long enough to type a password and a code from a phone, s. */
export const beginLifeSeconds = 15 * 60

/** The issuer decides how long its refresh token is valid; the browser forgets it after this, s. */
export const refreshLifeSeconds = 30 * 86_400

/** Browsers keep at most 4,096 bytes of one cookie, with its name and attributes. */
const maxSealedLength = 3900

const remembered = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), back: z.string() })
/** `secondFactor` is kept from the sign-in: an issuer need not repeat it when it renews an ID token. */
const renewable = z.object({ token: z.string(), shopperId: z.string(), secondFactor: z.optional(z.boolean()) })

/** `refresh` is the content of the refresh cookie; undefined when the issuer gave no refresh token. */
export type Session = { token: string; person: Person; seconds: number; refresh: string | undefined }

/** `back` is where the shopper wanted to go, as far as it is known; `pass` is undefined when the shop gives none. */
export type SignInResult =
  | { kind: 'signed-in'; session: Session; pass: string | undefined; back: string }
  | { kind: 'refused'; back: string | undefined }

/** The address of the issuer, and the cookie that the callback needs. */
export async function beginSignIn(
  { provider, cookies }: SignInPorts,
  shop: string,
  wanted: { back: string | null; loginHint: string | undefined; asksAgain: boolean },
): Promise<{ url: string; cookie: string }> {
  const { url, checks } = await provider.begin(callbackOf(shop), wanted)
  const content = { ...checks, back: safeReturnPath(wanted.back) }
  return { url, cookie: await cookies.seal({ purpose: 'sign-in', owner: shop }, content, beginLifeSeconds) }
}

/**
 * `query` is what the issuer added to the callback's address, `cookie` the one of `beginSignIn`, `language`
 * that of the shopper's browser.
 */
export async function finishSignIn(
  ports: SignInPorts,
  shop: string,
  { query, cookie, language }: { query: string; cookie: string | undefined; language: Language },
): Promise<SignInResult> {
  const { provider, cookies, telemetry } = ports
  const content = cookie === undefined ? undefined : await cookies.open({ purpose: 'sign-in', owner: shop }, cookie)
  const known = parse(remembered, content)
  if (!known.ok) return refused(telemetry, 'the cookie of this sign-in is missing, expired or not ours')
  const { back: wanted, ...checks } = known.value
  const back = safeReturnPath(wanted)
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

/** A new session for the refresh cookie's shopper; undefined when the issuer does not renew it. */
export async function refreshSession(
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
  const known = personIn(settings.claims, claims)
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
