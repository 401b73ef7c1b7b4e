/**
 * An OpenID Connect issuer on this machine, so that sign-in works as in a deployment. It accepts every name and stores
 * everything in memory.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { LRUCache } from 'lru-cache'
import {
  type Adapter,
  type AdapterFactory,
  type AdapterPayload,
  interactionPolicy,
  type JWK,
  Provider,
} from 'oidc-provider'

/** The claims of an account other than its name. */
export type Account = Readonly<Record<string, unknown>>

export type IssuerOptions = {
  /** Its address, including its path. */
  url: string
  client: { id: string; secret: string }
  /** The origin of the shop. */
  shop: string
  /** Private keys; the first one signs. */
  keys: readonly JWK[]
  /** Returns the URL of the page that asks for a name, with the interaction in its query. */
  logInPage: (interaction: { uid: string; loginHint: string | undefined }) => string
  /** Called with each failure of the issuer. */
  log: (line: string) => void
}

export type OidcIssuer = {
  /** Answers a request below the issuer's path. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /**
   * Completes the interaction `uid`: signs `name` in with these claims, by the methods in `amr` (RFC 8176). False when
   * the interaction does not exist any more. The library's cookie names one interaction for all tabs of a browser.
   */
  logIn(
    uid: string,
    response: ServerResponse,
    login: { name: string; account: Account; amr: readonly string[] },
  ): Promise<boolean>
}

/** Creates a signing key. */
export async function newIssuerKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kty: 'EC', kid, alg: 'ES256', use: 'sig' }
}

const emailClaims = ['email', 'email_verified']
const claimNames = ['sub', 'name', 'roles', 'level', 'amr', ...emailClaims]

export function createIssuer({ url, client, shop, keys, logInPage, log }: IssuerOptions): OidcIssuer {
  const accounts = new Map<string, Account>()
  const provider = new Provider(url, {
    adapter: memoryRecords(),
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${shop}/api/sign-in/callback`],
        post_logout_redirect_uris: [`${shop}/`],
        grant_types: ['authorization_code', 'refresh_token'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [...keys] },
    claims: { openid: claimNames, email: emailClaims },
    // All claims are in the ID token, as with Cognito.
    conformIdTokenClaims: false,
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...accounts.get(accountId) }) }),
    interactions: {
      policy: promptForOtherName(),
      url: (_ctx, { uid, params }) =>
        logInPage({ uid, loginHint: typeof params.login_hint === 'string' ? params.login_hint : undefined }),
    },
    // The shop is the only client, so there is no consent page.
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session?.accountId
      const clientId = oidc.client?.clientId
      if (accountId === undefined || clientId === undefined) return undefined
      const grant = new oidc.provider.Grant({ accountId, clientId })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: day,
      IdToken: 600,
      Interaction: 3600,
      RefreshToken: day,
      Session: day,
    },
    cookies: { names: { session: 'local_issuer', interaction: 'local_interaction', resume: 'local_resume' } },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = endPage(form)
        },
      },
    },
    renderError(ctx, { error, error_description }) {
      ctx.type = 'text'
      ctx.body = `${error}: ${error_description ?? ''}\n`
    },
  })
  provider.on('server_error', (_ctx, error) => log(error.stack ?? error.message))
  const answer = provider.callback()
  const path = new URL(url).pathname
  return {
    // The provider reads its mount path from `originalUrl`.
    handle: (request, response) =>
      answer(
        Object.assign(request, { originalUrl: request.url, url: (request.url ?? '').slice(path.length) }),
        response,
      ),
    async logIn(uid, response, { name, account, amr }) {
      accounts.set(name, account)
      const interaction = await provider.Interaction.find(uid)
      if (interaction === undefined) return false
      interaction.result = { ...interaction.lastSubmission, login: { accountId: name, amr: [...amr] } }
      await interaction.persist()
      response.writeHead(303, { location: interaction.returnTo, 'content-length': 0 }).end()
      return true
    },
  }
}

const day = 86_400

/** Adds a check: a link with a name shows the form, although another name is signed in. */
function promptForOtherName() {
  const policy = interactionPolicy.base()
  const { Check } = interactionPolicy
  policy
    .get('login')
    ?.checks.add(
      new Check(
        'login_hint',
        'a name is given',
        ({ oidc }) => oidc.params?.login_hint !== undefined && oidc.result === undefined,
      ),
    )
  return policy
}

/** Returns a page that ends the session at once: the shopper has clicked "Sign out" in the shop. */
function endPage(form: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Sluice</title>${form}
<button form="op.logoutForm" name="logout" value="yes" autofocus>Sign out · 退出登录</button>
<script>document.querySelector('button').click()</script>`
}

/** More sessions, codes and tokens than one machine needs. */
const maxRecords = 100_000

/** Creates the in-memory store of the issuer, one for all kinds of records, which expire. */
function memoryRecords(): AdapterFactory {
  const records = new LRUCache<string, AdapterPayload>({ max: maxRecords })
  return (kind): Adapter => ({
    async upsert(id, payload, expiresIn = 0) {
      records.set(`${kind}:${id}`, payload, { ttl: expiresIn * 1000 })
    },
    find: async (id) => records.get(`${kind}:${id}`),
    findByUid: async (uid) => records.find((payload, key) => payload.uid === uid && key.startsWith(`${kind}:`)),
    // There is no device flow.
    findByUserCode: async () => undefined,
    async consume(id) {
      const payload = records.get(`${kind}:${id}`)
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000)
    },
    async destroy(id) {
      records.delete(`${kind}:${id}`)
    },
    async revokeByGrantId(grantId) {
      for (const [key, payload] of records.entries()) if (payload.grantId === grantId) records.delete(key)
    },
  })
}
