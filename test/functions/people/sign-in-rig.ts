/**
 * The sign-in function with a real issuer behind it. A small browser goes from one to the other, and a
 * proxy can replace the ID token on its way.
 */
import { createPrivateKey } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { decodeJwt, type JWTPayload, SignJWT } from 'jose'
import type { JWK } from 'oidc-provider'
import * as z from 'zod/mini'
import { passHeader } from '../../../core/gate/pass.ts'
import type { Contact } from '../../../core/people/contact.ts'
import { shopOriginHeader } from '../../../core/people/sign-in-paths.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import { createSealer } from '../../../functions/lib/sealer.ts'
import { signingKey, tokenSigner } from '../../../functions/lib/session-token.ts'
import { openIdProvider } from '../../../functions/people/identity-provider.ts'
import { contactSaver } from '../../../functions/people/save-contact.ts'
import { passFetcher, type SignInPorts, signInApp } from '../../../functions/people/sign-in-http.ts'
import type { ClaimMapping, SecondFactor } from '../../../functions/people/sign-in-settings.ts'
import { type Account, createIssuer, newIssuerKey } from '../../../local/issuer/issuer.ts'
import { listen } from '../../../local/listen.ts'
import { answerTo, type HttpRequest } from '../../../proof/simulation/parts/requests.ts'
import { outage } from '../../world/outage.ts'

export const shop = 'https://shop.example'
const client = { id: 'shop', secret: 'a secret of the shop and the issuer' }

export const mapping: ClaimMapping = { shopperId: 'sub', name: 'name', roles: 'roles', level: 'level' }
export const session = { issuer: 'sluice-test', audience: 'sluice', seconds: 8 * 3600 }

export type Rig = Awaited<ReturnType<typeof startRig>>

/** The callback of a browser that returns from the issuer. */
export type Arrival = { query: string; cookie: string }

/** Replaces the ID token in the issuer's answer. */
type Forgery = (claims: JWTPayload) => Promise<string>

const tokens = z.looseObject({ id_token: z.string() })
const discovery = z.looseObject({})
const cookieKey = (byte: number) => Buffer.alloc(32, byte).toString('base64')

export async function startRig() {
  const accounts = new Map<string, Account>()
  const issuerKey = await newIssuerKey('first')
  const sessionJwk = signingKey.parse(await newIssuerKey('session'))
  const lines: string[] = []
  const asked: string[] = []
  let amr = ['pwd', 'mfa']
  let forgery: Forgery | undefined
  let now = Date.now()

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', base)
    if (url.pathname.startsWith('/issuer')) return void issuer.handle(request, response)
    void nameIn(request).then(async (name) => {
      const account = accounts.get(name) ?? {}
      const known = await issuer.logIn(url.searchParams.get('uid') ?? '', response, { name, account, amr })
      if (!known) response.writeHead(410).end()
    })
  })
  const listening = await listen(server, 0)
  const base = `http://localhost:${listening.port}`
  const issuerUrl = `${base}/issuer`
  const issuerWith = (keys: readonly JWK[]) =>
    createIssuer({
      ...{ url: issuerUrl, client, shop, keys },
      logInPage: ({ uid }) => `/log-in?uid=${uid}`,
      log: (line) => lines.push(line),
    })
  let issuer = issuerWith([issuerKey])
  let isSilentOnSignOut = false

  const through: typeof fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input)
    asked.push(new URL(url).pathname)
    const response = await fetch(input, init)
    if (isSilentOnSignOut && url.endsWith('/.well-known/openid-configuration')) {
      const { end_session_endpoint: _, ...others } = discovery.parse(await response.json())
      return Response.json(others)
    }
    if (forgery === undefined || !url.endsWith('/token')) return response
    const body = tokens.parse(await response.json())
    return Response.json({ ...body, id_token: await forgery(decodeJwt(body.id_token)) })
  }

  const warnings: string[] = []
  const saved: ({ shopperId: string; expiresAt: number } & Contact)[] = []
  const contactsLight = outage('the table')
  const silent = () => {}
  let pass: string | undefined
  const gate: typeof fetch = async (input, init) => {
    const { authorization = '' } = z.object({ authorization: z.optional(z.string()) }).parse(init?.headers)
    if (pass === undefined) throw new TypeError('fetch failed')
    const isOurs = input === `${shop}/api/pass` && authorization.startsWith('Bearer ey')
    return new Response('{}', { headers: { [passHeader]: isOurs ? pass : '' } })
  }
  const ports = async (
    change: {
      claims?: ClaimMapping
      issuer?: string
      cookieKeys?: string[]
      id?: string
      endSession?: string
      secondFactor?: SecondFactor
    } = {},
  ) => {
    const { issuer = issuerUrl, id: clientId = client.id, endSession } = change
    const settings = { issuer, clientId, scope: 'openid', ...(endSession && { endSession }) }
    const clock = () => now
    return {
      provider: openIdProvider({ settings, clientSecret: client.secret, fetch: through, clock }),
      cookies: createSealer(change.cookieKeys ?? [cookieKey(1)], clock),
      settings: {
        claims: change.claims ?? mapping,
        session,
        ...(change.secondFactor && { secondFactor: change.secondFactor }),
      },
      signToken: await tokenSigner(sessionJwk),
      saveContact: contactSaver({
        contacts: {
          putIfAbsent: async (shopperId, contact, expiresAt) => {
            contactsLight.pass()
            saved.push({ shopperId, ...contact, expiresAt })
            return true
          },
        },
        keptDays: 180,
        clock,
        log: { info: silent, warn: (line) => void warnings.push(line), error: silent },
      }),
      getPass: passFetcher(gate, { info: silent, warn: silent, error: silent }),
      telemetry: {
        meter: { count: silent },
        log: { info: silent, warn: silent, error: silent },
      },
    } satisfies SignInPorts
  }

  return {
    accounts,
    base,
    issuerUrl,
    sessionJwk,
    lines,
    /** The contacts that were put into the table. */
    saved,
    contactsLight,
    warnings,
    ports,
    cookieKey,
    /** The paths that the function has asked the issuer for since the last call. */
    asked: () => asked.splice(0),
    /** The discovery document names no address to sign out from now on. */
    hideSignOut: (isHidden: boolean) => {
      isSilentOnSignOut = isHidden
    },
    /** Everyone logs in at the issuer by these methods from now on (RFC 8176). */
    logInBy: (...methods: string[]) => {
      amr = methods
    },
    /** The gate gives this pass from now on; undefined: it does not answer. */
    givePass: (text: string | undefined) => {
      pass = text
    },
    passMs: (ms: number) => {
      now += ms
    },
    forge: (next: Forgery | undefined) => {
      forgery = next
    },
    /** Signs claims as the issuer does, unless `key` is another one. */
    sign(claims: JWTPayload, key: JWK = issuerKey) {
      const header = { alg: 'ES256', kid: issuerKey.kid }
      const { kty, crv = '', d = '', x = '', y = '' } = key
      return new SignJWT(claims)
        .setProtectedHeader(header)
        .sign(createPrivateKey({ key: { kty, crv, d, x, y }, format: 'jwk' }))
    },
    /** The issuer starts again with these keys. */
    async rotate() {
      issuer = issuerWith([await newIssuerKey('second'), issuerKey])
    },
    stop: () => listening.stop(),
    /** A browser begins a sign-in, logs in at the issuer as `name`, and comes back. */
    async arrive(at: SignInPorts, name: string, path = '/orders/'): Promise<Arrival> {
      const begun = await answerTo(signInApp(at), get(`return=${encodeURIComponent(path)}`))
      const [cookie = ''] = begun.cookies ?? []
      const back = await browse(begun.headers.location ?? '', name)
      return { query: new URL(back).search.slice(1), cookie: cookie.split(';')[0] ?? '' }
    },
    finish: (at: SignInPorts, { query, cookie }: Arrival, acceptLanguage?: string) =>
      answerTo(signInApp(at), {
        ...get(query),
        headers: { ...get(query).headers, 'accept-language': acceptLanguage },
        path: '/api/sign-in/callback',
        cookies: cookie === '' ? [] : [cookie],
      }),
  }
}

export function get(query: string): HttpRequest {
  return {
    ...{ method: 'GET', path: '/api/sign-in', query: new URLSearchParams(query), body: '' },
    headers: { [shopOriginHeader]: shop },
  }
}

/** The value that an answer sets for a cookie; undefined when it does not set it. */
export function cookieOf({ cookies = [] }: HttpAnswer, name: string): string | undefined {
  const text = cookies.find((cookie) => cookie.startsWith(`${name}=`))
  return text?.slice(name.length + 1).split(';')[0]
}

async function nameIn(request: IncomingMessage): Promise<string> {
  return new URLSearchParams(await text(request)).get('name') ?? ''
}

/** Follows the issuer until it leads to the shop; answers the log-in page with `name`. */
async function browse(start: string, name: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = start
  while (!url.startsWith(shop)) {
    const isForm = new URL(url).pathname === '/log-in'
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      ...(isForm && { method: 'POST', body: new URLSearchParams({ name }) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const next = response.headers.get('location')
    if (next === null) throw new Error(`${response.status} ${await response.text()}`)
    url = new URL(next, url).href
  }
  return url
}
