/**
 * Signs shoppers in with OpenID Connect: authorization code with PKCE, state and nonce (RFC 9700, OpenID Connect Core
 * 1.0). `openid-client` makes the requests and checks the answers. The ID token's signature is verified although the token
 * comes directly from the issuer, so that a proxy in between cannot sign anyone in.
 */
import * as client from 'openid-client'
import type { Claims } from './identity-claims.ts'
import { isLocal, type SignInSettings } from './sign-in-settings.ts'

/** The values that the callback must match; the shopper's own browser keeps them. */
type Checks = { state: string; nonce: string; verifier: string }

export type Tokens = { claims: Claims; refreshToken: string | undefined }

/** `refused`: the shopper caused the failure; `reason` is for the log. */
type Grant = { kind: 'granted'; tokens: Tokens } | { kind: 'refused'; reason: string }

/** Every method throws `IssuerUnavailable` when the issuer is unavailable. */
export type IdentityProvider = {
  /**
   * Returns the address to which the shopper is sent. The issuer may fill in `loginHint`, a name. With `forcesLogin` it
   * shows its page although someone is signed in there, so that the shopper can choose another account.
   */
  begin(
    redirectUri: string,
    wanted: { loginHint: string | undefined; forcesLogin: boolean },
  ): Promise<{ url: string; checks: Checks }>
  /** Exchanges the code in `callback`, the address to which the issuer sent the shopper. */
  finish(callback: URL, checks: Checks): Promise<Grant>
  refresh(refreshToken: string): Promise<Grant>
  /** Returns the address that ends the issuer's own session; undefined when the issuer has none. */
  endSessionUrl(returnTo: string): Promise<string | undefined>
}

/** The issuer does not answer, or answers incorrectly. The shopper did not cause this. */
export class IssuerUnavailable extends Error {
  override name = 'IssuerUnavailable'
}

/** Three requests to the issuer and one for the pass fit into the 10 s of the function. */
const timeoutSeconds = 2.5

/** The metadata of the issuer is read again after this time; new signing keys are read sooner. */
export const discoveryLifeMs = 10 * 60_000

/** The largest accepted difference between the clocks of issuer and function. */
export const clockToleranceSeconds = 60

export type IdentityProviderParts = {
  settings: Pick<SignInSettings, 'issuer' | 'clientId' | 'scope' | 'endSession'>
  /** Absent for a public client, which PKCE alone protects. */
  clientSecret: string | undefined
  fetch: typeof globalThis.fetch
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
        // The classic pages of Cognito ignore `prompt`. /logout ends the session and, with the parameters of an
        // authorization, continues to the page that asks for a name.
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
      // Cognito calls it `logout_uri`; other issuers ignore unknown parameters.
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

/** Returns a reader of the issuer's metadata and keys that caches them for `discoveryLifeMs`. */
function discovery(parts: IdentityProviderParts): () => Promise<client.Configuration> {
  let known: { config: Promise<client.Configuration>; readAt: number } | undefined
  return () => {
    const now = parts.clock()
    if (known === undefined || now - known.readAt >= discoveryLifeMs) {
      const asked = { config: discover(parts), readAt: now }
      known = asked
      asked.config.catch(() => {
        // The caller gets the failure; the next call reads again.
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

/** Returns why the shopper is refused; undefined when the shopper did not cause the error. */
function refusalReason(error: unknown): string | undefined {
  if (error instanceof client.AuthorizationResponseError) return error.error
  if (error instanceof client.ResponseBodyError) {
    return error.error === 'invalid_grant' ? error.error : undefined
  }
  const isCheck = error instanceof client.ClientError && failedChecks.has(error.code ?? '')
  return isCheck ? `${error.code}: ${reasonOf(error)}` : undefined
}

/** Returns the failed check. The causes of openid-client never contain a token. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message
}
