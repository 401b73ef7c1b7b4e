/**
 * The identity provider, by OpenID Connect: authorization code with PKCE, state and nonce (RFC 9700, OpenID Connect
 * Core 1.0). `openid-client` makes the requests and all checks of what comes back. The ID token's signature is verified
 * although it comes straight from the issuer, so that a proxy in between cannot sign anyone in.
 */
import * as client from 'openid-client'
import type { Claims } from './identity-claims.ts'
import { isLocal, type SignInSettings } from './sign-in-settings.ts'

/** What must come back with the code; kept in the shopper's own browser. */
type Checks = { state: string; nonce: string; verifier: string }

export type Tokens = { claims: Claims; refreshToken: string | undefined }

/** `refused` is what a shopper can cause, with a reason for the log. */
type Grant = { kind: 'granted'; tokens: Tokens } | { kind: 'refused'; reason: string }

/** Every method throws `IssuerUnavailable` when the issuer cannot be asked. */
export type IdentityProvider = {
  /**
   * Where to send the shopper. `loginHint` is the name that the issuer may fill in. With `asksAgain` it shows
   * its page although someone is signed in there, so that another account can be chosen.
   */
  begin(
    redirectUri: string,
    wanted: { loginHint: string | undefined; forcesLogin: boolean },
  ): Promise<{ url: string; checks: Checks }>
  /** Exchanges the code in `callback`, the address to which the issuer has sent the shopper. */
  finish(callback: URL, checks: Checks): Promise<Grant>
  refresh(refreshToken: string): Promise<Grant>
  /** Where to end the issuer's own session; undefined when it has no such address. */
  endSessionUrl(returnTo: string): Promise<string | undefined>
}

/** The issuer does not answer, or not as it should: no shopper can change that. */
export class IssuerUnavailable extends Error {
  override name = 'IssuerUnavailable'
}

/** Three requests to the issuer and one for the pass fit into the 10 s of the function. */
const timeoutSeconds = 2.5

/** A new address or key of the issuer is known after this long; its signing keys are asked for sooner. */
export const discoveryLifeMs = 10 * 60_000

/** Largest difference between the clocks of issuer and function. */
export const clockToleranceSeconds = 60

type Fetch = typeof globalThis.fetch

export type IdentityProviderParts = {
  settings: Pick<SignInSettings, 'issuer' | 'clientId' | 'scope' | 'endSession'>
  /** Absent for a public client, which PKCE alone protects. */
  clientSecret: string | undefined
  fetch: Fetch
  clock: () => number
}

export function openIdProvider(parts: IdentityProviderParts): IdentityProvider {
  const discovered = discovery(parts)
  return {
    async begin(redirectUri, { loginHint, forcesLogin }) {
      const config = await discovered()
      const verifier = client.randomPKCECodeVerifier()
      const checks = { state: client.randomState(), nonce: client.randomNonce(), verifier }
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: parts.settings.scope,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(loginHint !== undefined && { login_hint: loginHint }),
        ...(forcesLogin && { prompt: 'login' }),
      })
      const { endSession } = parts.settings
      if (forcesLogin && endSession !== undefined && !hasEndOfSession(config)) {
        // The classic pages of Cognito know no prompt: /logout ends the session there, and goes on to the page
        // that asks for a name with the parameters of an authorization.
        return { url: `${endSession}${url.search}`, checks }
      }
      return { url: url.href, checks }
    },
    async finish(callback, { state, nonce, verifier }) {
      const config = await discovered()
      return requestTokens(() =>
        client.authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        }),
      )
    },
    async refresh(refreshToken) {
      const config = await discovered()
      const grant = await requestTokens(() => client.refreshTokenGrant(config, refreshToken))
      if (grant.kind === 'refused') return grant
      // An issuer that does not rotate refresh tokens sends none.
      const { claims, refreshToken: next = refreshToken } = grant.tokens
      return { kind: 'granted', tokens: { claims, refreshToken: next } }
    },
    async endSessionUrl(returnTo) {
      const config = await discovered()
      // Cognito calls it `logout_uri`; others ignore what they do not know.
      const parameters = { post_logout_redirect_uri: returnTo, logout_uri: returnTo }
      if (hasEndOfSession(config)) {
        return client.buildEndSessionUrl(config, parameters).href
      }
      const { endSession, clientId } = parts.settings
      if (endSession === undefined) return undefined
      const url = new URL(endSession)
      url.search = String(new URLSearchParams({ client_id: clientId, ...parameters }))
      return url.href
    },
  }
}

const hasEndOfSession = (config: client.Configuration): boolean =>
  config.serverMetadata().end_session_endpoint !== undefined

/** The issuer's metadata and keys, read when first needed and again when they are old. */
function discovery(parts: IdentityProviderParts): () => Promise<client.Configuration> {
  let known: { config: Promise<client.Configuration>; readAt: number } | undefined
  return () => {
    const now = parts.clock()
    if (known === undefined || now - known.readAt >= discoveryLifeMs) {
      const asked = { config: discover(parts), readAt: now }
      known = asked
      asked.config.catch(() => {
        // The caller gets the failure; the next one asks again.
        if (known === asked) known = undefined
      })
    }
    return known.config
  }
}

async function discover({ settings, clientSecret, fetch }: IdentityProviderParts) {
  const issuer = new URL(settings.issuer)
  const execute = [client.enableNonRepudiationChecks]
  if (isLocal(issuer)) execute.push(client.allowInsecureRequests)
  try {
    return await client.discovery(
      issuer,
      settings.clientId,
      { [client.clockTolerance]: clockToleranceSeconds },
      clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret),
      { execute, timeout: timeoutSeconds, [client.customFetch]: fetch },
    )
  } catch (cause) {
    throw new IssuerUnavailable('the issuer does not publish its addresses', { cause })
  }
}

async function requestTokens(
  ask: () => Promise<client.TokenEndpointResponse & client.TokenEndpointResponseHelpers>,
): Promise<Grant> {
  try {
    const tokens = await ask()
    const claims = tokens.claims()
    if (claims === undefined) return { kind: 'refused', reason: 'the answer has no ID token' }
    return { kind: 'granted', tokens: { claims, refreshToken: tokens.refresh_token } }
  } catch (cause) {
    const reason = refusalReason(cause)
    if (reason !== undefined) return { kind: 'refused', reason }
    throw new IssuerUnavailable('the issuer does not answer as it should', { cause })
  }
}

/** Codes of openid-client for a failed check of state, nonce, issuer, audience, time or signature. */
const failedChecks: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
])

/** Why the shopper is refused; undefined when the reason is not the shopper's answer. */
function refusalReason(error: unknown): string | undefined {
  if (error instanceof client.AuthorizationResponseError) return error.error
  if (error instanceof client.ResponseBodyError) {
    return error.error === 'invalid_grant' ? error.error : undefined
  }
  const isCheck = error instanceof client.ClientError && failedChecks.has(error.code ?? '')
  return isCheck ? `${error.code}: ${reasonOf(error)}` : undefined
}

/** Never holds a token: the causes of openid-client name the check. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message
}
