import { createPublicKey } from 'node:crypto'
import { decodeJwt, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { signInApi } from '../../../core/api/sign-in.ts'
import { parseShopperId } from '../../../core/ids.ts'
import { shopOriginHeader } from '../../../core/people/sign-in-paths.ts'
import { createSessionTokens } from '../../../edge/memory/tokens.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import { type SigningKey, signingKey, tokenSigner, toPublicJwk } from '../../../functions/lib/session-token.ts'
import { clockToleranceSeconds, discoveryLifeMs } from '../../../functions/people/identity-provider.ts'
import { contactSaver } from '../../../functions/people/save-contact.ts'
import type { SignInPorts } from '../../../functions/people/sign-in-http.ts'
import { signInApp } from '../../../functions/people/sign-in-http.ts'
import { newIssuerKey } from '../../../local/issuer/issuer.ts'
import { answerTo } from '../../../proof/simulation/parts/requests.ts'
import { type Arrival, cookieOf, get, mapping, type Rig, session, shop, startRig } from './sign-in-rig.ts'

let rig: Rig
let ports: SignInPorts

const printed = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'info')]

beforeAll(async () => {
  rig = await startRig()
  ports = await rig.ports()
})

afterEach(() => rig.forge(undefined))

afterAll(async () => {
  await rig.stop()
  vi.restoreAllMocks()
})

/** Returns the claims of the session token in an answer; undefined without one. */
function sessionOf(answer: HttpAnswer) {
  const token = cookieOf(answer, 'sluice_session')
  return token === undefined ? undefined : decodeJwt(token)
}

/** A session key as the gate reads it from its settings. */
async function gateKey(jwk: SigningKey) {
  const { kid, ...key } = await toPublicJwk(jwk)
  return { kid, key: createPublicKey({ key, format: 'jwk' }) }
}

const nameOf = (cookie: string) => cookie.slice(0, cookie.indexOf('='))

function expectNobody(answer: HttpAnswer, status = 400) {
  expect(answer.statusCode).toBe(status)
  expect(answer.cookies ?? []).toEqual([])
  expect(answer.headers['content-type']).toMatch(/^text\/html/)
  expect(answer.body).toContain('/api/sign-in')
}

const post = (path: string, cookies: string[] = []) => ({ ...get(''), method: 'POST', path, cookies })
const refreshOf = (answer: HttpAnswer) => `sluice_refresh=${cookieOf(answer, 'sluice_refresh')}`
const renew = (at: SignInPorts, ...cookies: string[]) => answerTo(signInApp(at), post('/api/sign-in/refresh', cookies))

describe('sign-in with another account', () => {
  it('shows the page of the issuer although someone is signed in there, and does not come straight back', async () => {
    const plain = await answerTo(signInApp(ports), get('return=/console/'))
    expect(new URL(plain.headers.location ?? '').searchParams.has('prompt')).toBe(false)
    const begun = await answerTo(signInApp(ports), get('return=/console/&prompt=login'))
    expect(new URL(begun.headers.location ?? '').searchParams.get('prompt')).toBe('login')
    const other = await answerTo(signInApp(ports), get('return=/console/&prompt=none'))
    expect(new URL(other.headers.location ?? '').searchParams.has('prompt')).toBe(false)
  })

  it('ends the session of an issuer without a prompt first, with all that the authorization needs', async () => {
    rig.hideSignOut(true)
    const endSession = 'https://shop.auth.us-east-1.amazoncognito.com/logout'
    const at = await rig.ports({ endSession })
    const begun = new URL((await answerTo(signInApp(at), get('prompt=login'))).headers.location ?? '')
    const plain = new URL((await answerTo(signInApp(at), get(''))).headers.location ?? '')
    rig.hideSignOut(false)
    expect(`${begun.origin}${begun.pathname}`).toBe(endSession)
    expect(new Set(begun.searchParams.keys())).toEqual(new Set([...plain.searchParams.keys(), 'prompt']))
    expect(begun.searchParams.get('redirect_uri')).toBe(`${shop}/api/sign-in/callback`)
  })
})

describe('sign-in at the issuer', () => {
  it('asks for a code with PKCE, state and nonce, and keeps them in one encrypted cookie (RFC 9700)', async () => {
    const begun = await answerTo(signInApp(ports), get('return=/orders/&login_hint=ann'))
    const { searchParams } = new URL(begun.headers.location ?? '')
    expect(begun.statusCode).toBe(303)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: `${shop}/api/sign-in/callback`,
      code_challenge_method: 'S256',
      login_hint: 'ann',
    })
    for (const secret of ['state', 'nonce', 'code_challenge'])
      expect(searchParams.get(secret)?.length).toBeGreaterThan(40)
    expect(begun.cookies).toHaveLength(1)
    const [cookie = ''] = begun.cookies ?? []
    expect(cookie).toMatch(
      /^sluice_sign_in_[\w-]{16}=[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+; Max-Age=900; Path=\/api\/sign-in; /,
    )
    expect(cookie).toMatch(/; Secure; HttpOnly; SameSite=Lax$/)
    expect(cookie).not.toContain(searchParams.get('state'))
  })

  it('signs the shopper in for eight hours and leads back', async () => {
    rig.accounts.set('mia', { name: 'Mia M.', roles: ['marketer', 'admin', 7], level: 3 })
    const arrival = await rig.arrive(ports, 'mia', '/console/?x=1#top')
    const answer = await rig.finish(ports, arrival)
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe('/console/?x=1#top')
    const { iat = 0, exp = 0, ...claims } = sessionOf(answer) ?? {}
    expect(claims).toEqual({ iss: 'sluice-test', aud: 'sluice', sub: 'mia', roles: ['marketer'], level: 3 })
    expect(exp - iat).toBe(8 * 3600)
    expect(cookieOf(answer, 'sluice_who')).toBe('Mia%20M.')
    expect(cookieOf(answer, nameOf(arrival.cookie))).toBe('')
    expect(answer.cookies?.find((cookie) => cookie.startsWith('sluice_session'))).toMatch(
      /; Max-Age=28800; Path=\/; Secure; SameSite=Lax; HttpOnly$/,
    )
  })

  it.each([
    ['the first', 0],
    ['the second', 1],
  ])('in two tabs ends in both, each on its own page, also when %s one ends first', async (_, first) => {
    const tabs = [await rig.arrive(ports, 'ann', '/sales/a/'), await rig.arrive(ports, 'ann', '/sales/b/')]
    const cookie = tabs.map((tab) => tab.cookie).join('; ')
    const ends: (string | undefined)[] = []
    for (const at of [first, 1 - first]) {
      const answer = await rig.finish(ports, { query: tabs[at]?.query ?? '', cookie })
      expect(sessionOf(answer)?.sub).toBe('ann')
      // Only its own attempt is used up.
      expect(answer.cookies?.filter((text) => /^sluice_sign_in_/.test(text))).toHaveLength(1)
      ends[at] = answer.headers.location
    }
    expect(ends).toEqual(['/sales/a/', '/sales/b/'])
  })

  it('is remembered four times in a browser: the oldest goes, and before it what is not ours', async () => {
    const jar = ['sluice_sign_in_planted=x']
    const begin = async () => {
      const [begun = '', ...expired] =
        (await answerTo(signInApp(ports), { ...get(''), cookies: [...jar] })).cookies ?? []
      jar.push(begun.split(';')[0] ?? '')
      return expired.map((text) => /^([^=]+)=; Max-Age=0; Path=\/api\/sign-in; /.exec(text)?.[1])
    }
    expect([await begin(), await begin(), await begin()]).toEqual([[], [], []])
    expect(await begin()).toEqual(['sluice_sign_in_planted'])
    jar.shift()
    rig.passMs(1000)
    expect(await begin()).toEqual([nameOf(jar[0] ?? '')])
  })

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/%2e//evil.example',
    '/.//evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    `/${'a'.repeat(2000)}`,
  ])('does not lead to %s afterwards (open redirect)', async (wanted) => {
    const answer = await rig.finish(ports, await rig.arrive(ports, 'ann', wanted))
    expect(answer.headers.location).toBe('/')
  })

  it('brings the pass of the shop along, and signs in without one when there is none (L6)', async () => {
    const pass = `v1.${'a'.repeat(16)}.1900000000.${'b'.repeat(43)}`
    rig.givePass(pass)
    const answer = await rig.finish(ports, await rig.arrive(ports, 'ann'))
    expect(cookieOf(answer, 'sluice_pass')).toBe(pass)
    for (const none of ['', 'v1.x; Domain=evil.example', undefined]) {
      rig.givePass(none)
      const without = await rig.finish(ports, await rig.arrive(ports, 'ann'))
      expect(sessionOf(without)?.sub).toBe('ann')
      expect(cookieOf(without, 'sluice_pass')).toBeUndefined()
    }
  })

  it('answers only what has passed the gate', async () => {
    for (const { method, path } of Object.values(signInApi)) {
      const request = { ...get(''), method, path, headers: { [shopOriginHeader]: undefined } }
      expect((await answerTo(signInApp(ports), request)).statusCode, path).toBe(404)
    }
  })
})

describe('the contact of a shopper who signs in', () => {
  const verified = { email: 'ann@example.com', email_verified: true }
  const savedBy = async (account: Record<string, unknown>, acceptLanguage?: string) => {
    rig.accounts.set('ann', account)
    rig.saved.splice(0)
    const answer = await rig.finish(ports, await rig.arrive(ports, 'ann'), acceptLanguage)
    expect(sessionOf(answer)?.sub).toBe('ann')
    return rig.saved.splice(0)
  }
  afterEach(() => {
    rig.accounts.clear()
    rig.contactsLight.comeUp()
  })

  it('is kept half a year, in the language of the browser', async () => {
    const [saved, ...more] = await savedBy(verified, 'zh-TW,zh;q=0.9,en;q=0.8')
    expect(more).toEqual([])
    expect(saved).toMatchObject({ shopperId: 'ann', email: 'ann@example.com', language: 'zh-CN' })
    expect(((saved?.expiresAt ?? 0) - Date.now()) / 86_400_000).toBeCloseTo(180, 0)
  })

  it.each([
    ['is not verified', { email: 'ann@example.com' }],
    ['is said to be verified in words', { email: 'ann@example.com', email_verified: 'true' }],
    ['is missing', { email_verified: true }],
    ['is not an address', { ...verified, email: 'ann' }],
    ['has a line break', { ...verified, email: 'ann@example.com\r\nBcc: all@example.com' }],
  ])('is not kept when the address %s', async (_name, account) => {
    expect(await savedBy(account)).toEqual([])
  })

  it('does not stop a sign-in while the table is unavailable', async () => {
    rig.contactsLight.goDown()
    expect(await savedBy(verified)).toEqual([])
    expect(rig.warnings).toEqual(['contact of a sign-in not saved'])
    expect(rig.warnings.join()).not.toContain('example.com')
  })

  it('does not keep a sign-in waiting for a table that never answers', async () => {
    vi.useFakeTimers()
    try {
      const warnings: string[] = []
      const silent = () => {}
      const save = contactSaver({
        contacts: { putIfAbsent: () => new Promise(() => {}) },
        keptDays: 180,
        clock: Date.now,
        log: { info: silent, warn: (line) => void warnings.push(line), error: silent },
      })
      const claims = { ...verified, sub: 'ann', iss: 'https://issuer.example' }
      const saved = save(parseShopperId('ann') ?? expect.fail(), claims, 'en')
      await vi.advanceTimersByTimeAsync(1000)
      await saved
      expect(warnings).toEqual(['contact of a sign-in not saved'])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a callback that must not sign anyone in', () => {
  const withQuery = (change: (query: URLSearchParams) => void) => (arrival: Arrival) => {
    const query = new URLSearchParams(arrival.query)
    change(query)
    return { ...arrival, query: query.toString() }
  }

  it.each<[string, (arrival: Arrival) => Arrival | Promise<Arrival>]>([
    ['brings another state', withQuery((query) => query.set('state', 'another'))],
    ['brings no state', withQuery((query) => query.delete('state'))],
    ['names another issuer (mix-up, RFC 9207)', withQuery((query) => query.set('iss', 'https://evil.example'))],
    ['comes without the cookie, from a link of another person (login CSRF)', ({ query }) => ({ query, cookie: '' })],
    [
      'brings a code for the second time',
      async (arrival) => {
        expect(sessionOf(await rig.finish(ports, arrival))?.sub).toBe('ann')
        return arrival
      },
    ],
    [
      'comes after a quarter of an hour',
      (arrival) => {
        rig.passMs(16 * 60_000)
        return arrival
      },
    ],
  ])('%s', async (_what, change) => {
    expectNobody(await rig.finish(ports, await change(await rig.arrive(ports, 'ann'))))
  })

  it('comes with the cookie of another sign-in', async () => {
    const eve = await rig.arrive(ports, 'eve')
    const ann = await rig.arrive(ports, 'ann')
    for (const name of [nameOf(eve.cookie), nameOf(ann.cookie)]) {
      const cookie = name + ann.cookie.slice(name.length)
      expectNobody(await rig.finish(ports, { query: eve.query, cookie }))
    }
  })

  it('comes with two cookies of that name, of which one may be planted', async () => {
    const { query, cookie } = await rig.arrive(ports, 'ann')
    const request = { ...get(query), path: '/api/sign-in/callback', cookies: [cookie, cookie] }
    expectNobody(await answerTo(signInApp(ports), request))
  })

  it('comes with a cookie of another shop, also one with the same key', async () => {
    const arrival = await rig.arrive(ports, 'ann')
    expectNobody(await rig.finish(await rig.ports({ cookieKeys: [rig.cookieKey(2)] }), arrival))
    const request = { ...get(arrival.query), path: '/api/sign-in/callback', cookies: [arrival.cookie] }
    const headers = { [shopOriginHeader]: 'https://other-shop.example' }
    expectNobody(await answerTo(signInApp(ports), { ...request, headers }))
  })

  it('says that the shopper has cancelled', async () => {
    const { query, cookie } = await rig.arrive(ports, 'ann')
    const { state, iss } = Object.fromEntries(new URLSearchParams(query))
    const cancelled = new URLSearchParams({ error: 'access_denied', state: state ?? '', iss: iss ?? '' })
    const answer = await rig.finish(ports, { query: cancelled.toString(), cookie })
    expectNobody(answer)
    // The page begins again with the same way back.
    expect(answer.body).toContain('/api/sign-in?return=%2Forders%2F')
  })
})

describe('an ID token that must not sign anyone in', () => {
  const seconds = () => Math.floor(Date.now() / 1000)
  const near = clockToleranceSeconds - 10

  it.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ['has another nonce', (claims) => ({ ...claims, nonce: 'another' })],
    ['has no nonce', ({ nonce: _, ...claims }) => claims],
    ['is for another client', (claims) => ({ ...claims, aud: 'another-shop' })],
    ['is for two clients and was given to the other', (claims) => ({ ...claims, aud: ['shop', 'x'], azp: 'x' })],
    ['is of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['expired more than the tolerance ago', (claims) => ({ ...claims, exp: seconds() - 2 * clockToleranceSeconds })],
    [
      'is not valid yet, by more than the tolerance',
      (claims) => ({ ...claims, nbf: seconds() + 2 * clockToleranceSeconds }),
    ],
    ['has no expiry', ({ exp: _, ...claims }) => claims],
    ['has no subject', ({ sub: _, ...claims }) => claims],
    ['has a subject that is no shopper id', (claims) => ({ ...claims, sub: 'a b' })],
    ['has a subject that is too long', (claims) => ({ ...claims, sub: 'a'.repeat(129) })],
  ])('%s', async (_what, change) => {
    const arrival = await rig.arrive(ports, 'ann')
    rig.forge((claims) => rig.sign(change(claims)))
    expectNobody(await rig.finish(ports, arrival))
  })

  it.each<[string, Parameters<Rig['forge']>[0]]>([
    ['signed by another key under the same name', async (claims) => rig.sign(claims, await newIssuerKey('first'))],
    ['not signed (alg: none)', async (claims) => new UnsecuredJWT(claims).encode()],
  ])('is %s', async (_what, forgery) => {
    const arrival = await rig.arrive(ports, 'ann')
    rig.forge(forgery)
    expectNobody(await rig.finish(ports, arrival))
  })

  it('is none of these when the clocks differ within the tolerance', async () => {
    for (const change of [{ exp: seconds() - near }, { nbf: seconds() + near, iat: seconds() + near }]) {
      const arrival = await rig.arrive(ports, 'ann')
      rig.forge((claims) => rig.sign({ ...claims, ...change }))
      expect(sessionOf(await rig.finish(ports, arrival))?.sub).toBe('ann')
    }
  })
})

describe('a session with a role', () => {
  const rolesBy = async (at: SignInPorts, roles: readonly string[] = ['marketer']) => {
    rig.accounts.set('mia', { roles })
    return sessionOf(await rig.finish(at, await rig.arrive(at, 'mia')))?.roles
  }
  afterEach(() => rig.logInBy('pwd', 'mfa'))

  it('needs a second factor: with a stolen password alone a marketer’s account is a shopper’s', async () => {
    rig.logInBy('pwd')
    expect(await rolesBy(ports)).toEqual([])
    rig.logInBy('pwd', 'otp', 'mfa')
    expect(await rolesBy(ports)).toEqual(['marketer'])
  })

  it.each([
    [['gold'], 'acr', ['bronze', 'gold'], ['marketer']],
    [['gold'], 'acr', 'gold', ['marketer']],
    [['gold'], 'acr', 'silver', []],
    [['gold'], 'acr', { gold: true }, []],
    [['gold'], 'acr', undefined, []],
    // A user pool, whose tokens may lack `amr`.
    [['totp'], 'custom:mfa', 'totp', ['marketer']],
    [['totp'], 'custom:mfa', '', []],
    [['totp'], 'custom:mfa', undefined, []],
  ])('that needs %j in the claim of the settings, %s, is given with %j as %j', async (values, claim, given, roles) => {
    const at = await rig.ports({ secondFactor: { claim, values } })
    rig.forge(({ amr: _, ...claims }) => rig.sign({ ...claims, [claim]: given }))
    expect(await rolesBy(at)).toEqual(roles)
  })

  it('is given without one only where the settings say why', async () => {
    rig.logInBy('pwd')
    const at = await rig.ports({ secondFactor: { notRequired: 'the proxy in front asks for it' } })
    expect(await rolesBy(at)).toEqual(['marketer'])
  })

  it('keeps its role when an issuer renews it without repeating the methods, and gains none', async () => {
    const renewedFrom = async (...methods: string[]) => {
      rig.logInBy(...methods)
      rig.accounts.set('mia', { roles: ['marketer'] })
      const answer = await rig.finish(ports, await rig.arrive(ports, 'mia'))
      rig.forge(({ amr: _, ...claims }) => rig.sign(claims))
      const renewed = await renew(ports, refreshOf(answer))
      rig.forge(undefined)
      return sessionOf(renewed)?.roles
    }
    expect(await renewedFrom('pwd', 'mfa')).toEqual(['marketer'])
    expect(await renewedFrom('pwd')).toEqual([])
  })

  it('is not renewed with its role once the settings no longer waive the second factor', async () => {
    rig.logInBy('pwd')
    rig.accounts.set('mia', { roles: ['marketer'] })
    const waived = await rig.ports({ secondFactor: { notRequired: 'a trial' } })
    const answer = await rig.finish(waived, await rig.arrive(waived, 'mia'))
    expect(sessionOf(answer)?.roles).toEqual(['marketer'])
    expect(sessionOf(await renew(ports, refreshOf(answer)))).toMatchObject({ sub: 'mia', roles: [] })
  })
})

describe('claims', () => {
  const subjectBy = async (claims: Record<string, unknown>, by: typeof mapping) => {
    rig.accounts.set('u-1', claims)
    const at = await rig.ports({ claims: by })
    return rig.finish(at, await rig.arrive(at, 'u-1'))
  }

  it('give an email address as the id only when it is verified', async () => {
    const byEmail = { shopperId: 'email' } as const
    const email = 'ann@example.com'
    expect(sessionOf(await subjectBy({ email, email_verified: true }, byEmail))?.sub).toBe(email)
    for (const email_verified of [false, undefined, 'true']) {
      expectNobody(await subjectBy({ email, email_verified }, byEmail))
    }
  })

  it('give the subject with its issuer, where several issuers share a shop', async () => {
    const answer = await subjectBy({}, { shopperId: 'issuer-and-sub' })
    expect(sessionOf(answer)?.sub).toBe(`${new URL(rig.base).host}:issuer|u-1`)
  })

  it('give our roles for the names of the issuer, and drop the others', async () => {
    const roleNames = { 'Sales team': 'marketer', Helpdesk: 'support' } as const
    const by = { ...mapping, roleNames }
    const answer = await subjectBy({ roles: ['Helpdesk', 'viewer', 'constructor'] }, by)
    expect(sessionOf(answer)?.roles).toEqual(['support'])
  })

  it('give no level that is malformed, and one that is written as text', async () => {
    for (const level of [-1, 1.5, 101, 'high', '1e2', null]) {
      expect(sessionOf(await subjectBy({ level }, mapping))).not.toHaveProperty('level')
    }
    expect(sessionOf(await subjectBy({ level: '3' }, mapping))?.level).toBe(3)
  })

  it('that are very long make no cookie that a browser would drop', async () => {
    const long = 'x'.repeat(20_000)
    const answer = await subjectBy({ name: long, roles: Array(5000).fill(long.slice(0, 10)) }, mapping)
    expect(sessionOf(answer)?.sub).toBe('u-1')
    for (const cookie of answer.cookies ?? []) expect(cookie.length).toBeLessThan(4096)
  })
})

describe('an issuer that does not answer', () => {
  it('gives a page that says so, and stores nothing', async () => {
    const down = await rig.ports({ issuer: 'http://localhost:1' })
    const asked = get('return=/orders/')
    const headers = { ...asked.headers, 'accept-language': 'zh-TW,en;q=0.5' }
    const answer = await answerTo(signInApp(down), { ...asked, headers })
    expectNobody(answer, 503)
    expect(answer.headers['retry-after']).toBe('10')
    expect(answer.body).toContain('/api/sign-in?return=%2Forders%2F')
    expect(answer.body).toContain('暂时无法登录')
  })

  it('is asked again by the next sign-in, and once in ten minutes while it answers', async () => {
    const at = await rig.ports()
    rig.asked()
    await Promise.all([answerTo(signInApp(at), get('')), answerTo(signInApp(at), get(''))])
    await answerTo(signInApp(at), get(''))
    expect(rig.asked()).toEqual(['/issuer/.well-known/openid-configuration'])
    rig.passMs(discoveryLifeMs)
    await answerTo(signInApp(at), get(''))
    expect(rig.asked()).toHaveLength(1)
  })

  it('does not keep the shopper signed in here', async () => {
    const down = await rig.ports({ issuer: 'http://localhost:1' })
    const answer = await answerTo(signInApp(down), post('/api/sign-in/end'))
    expect(answer.statusCode).toBe(200)
    expect(JSON.parse(answer.body)).toEqual({})
    expect(cookieOf(answer, 'sluice_session')).toBe('')
  })
})

describe('the end of a session', () => {
  it('expires every cookie and names the address that ends the issuer’s session', async () => {
    const answer = await answerTo(signInApp(ports), post('/api/sign-in/end'))
    for (const name of ['sluice_session', 'sluice_who', 'sluice_pass', 'sluice_refresh']) {
      expect(answer.cookies?.find((cookie) => cookie.startsWith(`${name}=;`))).toContain('Max-Age=0')
    }
    const url = new URL(JSON.parse(answer.body).endSessionUrl)
    expect(url.href).toContain(`${rig.issuerUrl}/session/end?`)
    expect(url.searchParams.get('client_id')).toBe('shop')
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${shop}/`)
  })

  it('ends at the address of the settings, where the issuer names none', async () => {
    rig.hideSignOut(true)
    const endSession = 'https://accounts.example/logout'
    const ends = async (at: SignInPorts) =>
      JSON.parse((await answerTo(signInApp(at), post('/api/sign-in/end'))).body).endSessionUrl
    const url = new URL(await ends(await rig.ports({ endSession })))
    expect(`${url.origin}${url.pathname}`).toBe(endSession)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'shop',
      logout_uri: `${shop}/`,
      post_logout_redirect_uri: `${shop}/`,
    })
    expect(await ends(await rig.ports()), 'here alone').toBeUndefined()
    rig.hideSignOut(false)
  })
})

describe('the renewal of a session', () => {
  const signedIn = async (name: string) => refreshOf(await rig.finish(ports, await rig.arrive(ports, name)))

  it('gives a new session with the claims of now, and a new refresh cookie', async () => {
    rig.accounts.set('sam', { roles: ['support', 'viewer'] })
    const cookie = await signedIn('sam')
    rig.accounts.set('sam', { roles: ['viewer'] })
    // The issuer learns of the change with the next log-in.
    await rig.arrive(ports, 'sam')
    const answer = await renew(ports, cookie)
    expect(answer.statusCode).toBe(200)
    expect(JSON.parse(answer.body)).toEqual({ expiresInSeconds: session.seconds })
    expect(sessionOf(answer)).toMatchObject({ sub: 'sam', roles: ['viewer'] })
    expect(answer.cookies?.find((text) => text.startsWith('sluice_refresh'))).toMatch(
      /; Path=\/api\/sign-in; Secure; HttpOnly; SameSite=Strict$/,
    )
    expect(cookieOf(answer, 'sluice_refresh')).not.toBe(cookie.slice('sluice_refresh='.length))
  })

  it('is refused for a token that was used before, without a cookie, and for a cookie of a sign-in', async () => {
    const cookie = await signedIn('ann')
    expect((await renew(ports, cookie)).statusCode).toBe(200)
    const { cookie: other } = await rig.arrive(ports, 'ann')
    const wrong = other.replace(nameOf(other), 'sluice_refresh')
    for (const cookies of [[cookie], [], [wrong], ['sluice_refresh=x']]) {
      const answer = await renew(ports, ...cookies)
      expect(answer.statusCode).toBe(401)
      // Another tab may just have replaced it.
      expect(answer.cookies ?? []).toEqual([])
    }
  })

  it('is refused when the issuer names another shopper', async () => {
    const cookie = await signedIn('ann')
    rig.forge((claims) => rig.sign({ ...claims, sub: 'eve' }))
    const answer = await renew(ports, cookie)
    expect(answer.statusCode).toBe(401)
    expect(sessionOf(answer)).toBeUndefined()
  })

  it('answers 503 while the issuer does not answer, and the cookie stays good', async () => {
    const cookie = await signedIn('ann')
    const down = await rig.ports({ issuer: 'http://localhost:1' })
    expect((await renew(down, cookie)).statusCode).toBe(503)
    expect((await renew(ports, cookie)).statusCode).toBe(200)
  })
})

describe('the rotation of keys', () => {
  it('of cookies lets a sign-in that has begun come back', async () => {
    const arrival = await rig.arrive(ports, 'ann')
    const rotated = await rig.ports({ cookieKeys: [rig.cookieKey(2), rig.cookieKey(1)] })
    expect(sessionOf(await rig.finish(rotated, arrival))?.sub).toBe('ann')
  })

  it('of our sessions signs no shopper out: every key verifies at the gate', async () => {
    const answer = await rig.finish(ports, await rig.arrive(ports, 'ann'))
    const nextKey = signingKey.parse(await newIssuerKey('next'))
    const rotated = { ...ports, signToken: await tokenSigner(nextKey) }
    const later = await rig.finish(rotated, await rig.arrive(rotated, 'ben'))
    const publicKeys = await Promise.all([nextKey, rig.sessionJwk].map(gateKey))
    const gate = createSessionTokens({ publicKeys, issuer: session.issuer, audience: session.audience }, Date.now)
    expect(gate.verify(cookieOf(answer, 'sluice_session') ?? '')).toMatchObject({ shopperId: 'ann' })
    expect(gate.verify(cookieOf(later, 'sluice_session') ?? '')).toMatchObject({ shopperId: 'ben' })
  })

  it('of the issuer is followed without a restart', async () => {
    const before = await rig.ports()
    expect(sessionOf(await rig.finish(before, await rig.arrive(before, 'ann')))?.sub).toBe('ann')
    await rig.rotate()
    const arrival = await rig.arrive(before, 'ann')
    rig.passMs(discoveryLifeMs)
    expect(sessionOf(await rig.finish(before, arrival))?.sub).toBe('ann')
  })
})

it('the local issuer prints no warning of its library, and reports no failure of its own', async () => {
  await rig.finish(ports, await rig.arrive(ports, 'ann'))
  for (const spy of printed) expect(spy.mock.calls).toEqual([])
  expect(rig.lines).toEqual([])
})
