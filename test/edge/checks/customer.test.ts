/** The shop's own customers at the gate: whose token counts, what it opens, and every token that does not. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { passDays, passKeysText } from '../../../core/gate/pass.ts'
import { customersText } from '../../../core/people/customer-keys.ts'
import { crm, customerToken, issuerOf, keyNamed, shopKeys, textOf } from '../customer-tokens.ts'
import {
  eventOf,
  forwardedOf,
  openGate,
  openInstance,
  issuer as ownIssuer,
  refusalOf,
  sent,
  shopOrigin,
  startOfTests,
  tokenAt,
  unthrottled,
} from '../support.ts'

const seconds = startOfTests / 1000

async function openShop(text?: string) {
  const gate = openGate(unthrottled)
  gate.store.setCustomers(text ?? (await textOf()))
  gate.store.setPassKeys(passKeysText(new Map(passDays(startOfTests).map((day) => [day, `key of ${day}`]))))
  const opens = async (token: string, change: object = {}) =>
    gate.handler(
      eventOf({
        method: 'POST',
        uri: '/api/sign-in/customer',
        headers: { authorization: `Bearer ${token}`, origin: shopOrigin },
        ...change,
      }),
    )
  const buys = async (token: string) => gate.buy({ token })
  return { ...gate, opens, buys }
}

/** The status and cookies of an answer that the gate gives itself. */
function answered(answer: Awaited<ReturnType<Awaited<ReturnType<typeof openShop>>['opens']>>) {
  if (!('status' in answer)) throw new Error('the request was forwarded')
  const cookies = (answer.headers['set-cookie'] ?? []).map(({ value }) => value)
  return { status: Number(answer.status), cookies, body: JSON.parse(answer.body || '{}'), headers: answer.headers }
}

const refused = { status: 401, code: 'sign-in-required' }

describe('a token that the shop has signed for its customer', () => {
  it.each(Object.keys(shopKeys))(
    'buys by %s, as a shopper of that shop system, with its level and no role',
    async (alg) => {
      const { buys } = await openShop()
      const claims = { level: 3, roles: ['marketer'] }
      const request = forwardedOf(await buys(await customerToken(startOfTests, { alg, claims })))
      expect(sent(request, 'x-shopper-id')).toEqual(['customer:crm|4711'])
      expect(sent(request, 'x-shopper-level')).toEqual(['3'])
      expect(sent(request, 'x-shopper-roles')).toEqual([''])
    },
  )

  it('needs no key id where the key is known by its kind, and may be meant for several', async () => {
    const { buys } = await openShop()
    const token = await customerToken(startOfTests, { kid: undefined, claims: { aud: ['other', shopOrigin] } })
    forwardedOf(await buys(token))
  })

  it('is taken once the shop has named its issuer, without a new instance of the gate', async () => {
    const gate = await openShop(customersText([]))
    const token = await customerToken(startOfTests)
    expect(refusalOf(await gate.buys(token))).toMatchObject(refused)
    gate.store.setCustomers(await textOf())
    gate.time.now += 1500
    forwardedOf(await gate.buys(token))
  })

  it('cannot be judged while a new instance has never read the issuers (I6)', async () => {
    const { store } = await openShop()
    const cold = openInstance(store, { now: startOfTests })
    store.goDown()
    const pass = () => cold.handler(passEvent)
    const passEvent = eventOf({
      uri: '/api/pass',
      headers: { authorization: `Bearer ${await customerToken(startOfTests)}` },
    })
    expect(refusalOf(await pass())).toMatchObject({ status: 503, code: 'unavailable' })
    store.comeUp()
    cold.time.now += 1000
    expect(answered(await pass()).status).toBe(200)
  })

  it('costs its store nothing more than other sessions once it is known', async () => {
    const { buys, store } = await openShop()
    const token = await customerToken(startOfTests)
    await buys(token)
    const before = store.listReads.length
    await buys(token)
    expect(store.listReads.length).toBe(before)
  })
})

describe('a token of a shop whose clock is ahead', () => {
  it.each([
    ['a minute', { iat: seconds + 60, exp: seconds + 1860 }],
    ['some seconds, with a life that is longer by as much', { iat: seconds, exp: seconds + 3605 }],
  ])('is taken: %s', async (_, claims) => {
    const { buys, opens, store } = await openShop()
    const token = await customerToken(startOfTests, { claims })
    forwardedOf(await buys(token))
    expect(answered(await opens(token)).status).toBe(200)
    expect(store.refusedTokens).toEqual([])
  })
})

describe('a refused token', () => {
  it.each([
    ['future', { iat: seconds + 62 }],
    ['expired', { exp: seconds - 6 }],
    ['audience', { aud: 'https://other.example' }],
    ['too-long', { exp: seconds + 3606 }],
    ['claims', { level: 1.5 }],
    ['key', {}],
  ])('is counted for its issuer with the reason, once for each request: %s', async (reason, claims) => {
    const { opens, store, time } = await openShop()
    const key = reason === 'key' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : undefined
    const token = await customerToken(startOfTests, { claims, ...(key && { key }) })
    expect(refusalOf(await opens(token))).toMatchObject(refused)
    time.now += 1000
    await opens(token)
    expect(store.refusedTokens).toEqual([['crm', { [reason]: 2 }]])
  })

  it('is not counted when no known issuer is said to have signed it', async () => {
    const { opens, store, time } = await openShop()
    for (const iss of ['https://other.example', ownIssuer]) {
      await opens(await customerToken(startOfTests, { claims: { iss } }))
      time.now += 1000
    }
    expect(store.refusedTokens).toEqual([])
  })
})

describe('a token of a customer is refused, and the answer does not say why (L6), when', () => {
  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rsaPem = Buffer.from(shopKeys.RS256.publicKey.export({ format: 'pem', type: 'spki' }))
  let shop: Awaited<ReturnType<typeof openShop>>
  beforeAll(async () => {
    shop = await openShop()
  })

  it.each([
    ['another key has signed it', { key: foreign.privateKey }],
    ['the key is of another kind than the key id', { kid: 'RS256' }],
    ['the key id is unknown', { kid: 'unknown' }],
    [
      'it names an algorithm that its key does not have',
      { alg: 'RS512', kid: 'RS256', key: shopKeys.RS256.privateKey },
    ],
    ['it is signed with a public key as a shared secret', { alg: 'HS256', kid: 'RS256', key: rsaPem }],
    ['its issuer is another', { claims: { iss: 'https://other.example' } }],
    ['its issuer is ours', { claims: { iss: ownIssuer, aud: 'sluice-shop' } }],
    ['it is meant for another shop', { claims: { aud: 'https://other.example' } }],
    ['it is meant for nobody', { claims: { aud: undefined } }],
    ['it has no subject', { claims: { sub: undefined } }],
    ['its subject is empty', { claims: { sub: '' } }],
    ['its subject has other letters than an id', { claims: { sub: 'a b' } }],
    ['its subject is too long', { claims: { sub: 'a'.repeat(120) } }],
    ['it has expired', { claims: { exp: seconds - 6 } }],
    ['it has no end', { claims: { exp: undefined } }],
    ['it does not say when it was made', { claims: { iat: undefined } }],
    ['it was made in the future', { claims: { iat: seconds + 61 } }],
    ['it is not valid yet', { claims: { nbf: seconds + 61 } }],
    ['it lives longer than an hour', { claims: { exp: seconds + 3606 } }],
    ['its level is no whole number', { claims: { level: 1.5 } }],
    ['it is another kind of token', { header: { typ: 'dpop+jwt' } }],
    ['it has an extension', { header: { crit: ['exp'] } }],
  ] as const)('%s', async (_, signing) => {
    // jose signs nothing with `crit` that it does not know, so that header is put in by hand.
    const token = await craft(signing)
    expect(refusalOf(await shop.buys(token))).toMatchObject(refused)
    expect(refusalOf(await shop.opens(token))).toMatchObject(refused)
  })

  it('it is not signed at all', async () => {
    const [, claims] = (await customerToken(startOfTests)).split('.')
    const head = Buffer.from('{"alg":"none"}').toString('base64url')
    expect(refusalOf(await shop.buys(`${head}.${claims}.`))).toMatchObject(refused)
  })

  it('its claims were changed after it was signed', async () => {
    const [head, , signature] = (await customerToken(startOfTests)).split('.')
    const [, claims] = (await customerToken(startOfTests, { claims: { sub: '4712' } })).split('.')
    expect(refusalOf(await shop.buys(`${head}.${claims}.${signature}`))).toMatchObject(refused)
  })

  async function craft(signing: Parameters<typeof customerToken>[1] & object): Promise<string> {
    if (!('header' in signing && signing.header !== undefined && 'crit' in signing.header)) {
      return customerToken(startOfTests, signing)
    }
    const [, claims] = (await customerToken(startOfTests)).split('.')
    const head = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'ES256', ...signing.header })).toString('base64url')
    const key = { key: shopKeys.ES256.privateKey, dsaEncoding: 'ieee-p1363' as const }
    return `${head}.${claims}.${sign('sha256', Buffer.from(`${head}.${claims}`), key).toString('base64url')}`
  }
})

describe('a key of the shop', () => {
  it('ends with its last tokens after the shop has published another (no gap, no more)', async () => {
    const issuer = await issuerOf()
    const former = { ...keyNamed(issuer, 'ES256'), until: startOfTests + 5000 }
    const gate = await openShop(customersText([{ ...issuer, keys: [former, keyNamed(issuer, 'EdDSA')] }]))
    const token = await customerToken(startOfTests)
    forwardedOf(await gate.buys(token))
    gate.time.now += 5000
    expect(refusalOf(await gate.buys(token))).toMatchObject(refused)
    forwardedOf(await gate.buys(await customerToken(startOfTests, { alg: 'EdDSA' })))
  })

  it('is worth nothing two seconds after the block list has it, nor is the customer (R8)', async () => {
    const gate = await openShop()
    const [token, other] = [
      await customerToken(startOfTests),
      await customerToken(startOfTests, { alg: 'EdDSA', claims: { sub: '4712' } }),
    ]
    forwardedOf(await gate.buys(token))
    gate.store.block(`session-key ${keyNamed(await issuerOf(), 'ES256').id}`)
    gate.time.now += 2000
    expect(refusalOf(await gate.buys(token))).toMatchObject(refused)
    forwardedOf(await gate.buys(other))
    gate.store.block('shopper customer:crm|4712')
    gate.time.now += 2000
    expect(refusalOf(await gate.buys(other))).toMatchObject({ status: 403, code: 'blocked' })
  })

  it('is worth nothing once the shop has taken the issuer back, also for a token that was taken before', async () => {
    const gate = await openShop()
    const token = await customerToken(startOfTests)
    forwardedOf(await gate.buys(token))
    gate.store.setCustomers(customersText([]))
    gate.time.now += 2000
    expect(refusalOf(await gate.buys(token))).toMatchObject(refused)
  })

  it('stays good while the store has lost the issuers', async () => {
    const gate = await openShop()
    const token = await customerToken(startOfTests)
    forwardedOf(await gate.buys(token))
    gate.store.loseLists()
    gate.time.now += 2000
    forwardedOf(await gate.buys(token))
  })
})

describe('a session of a customer', () => {
  it('is the token in a cookie for as long as it lives, with the name and a pass, and no function starts', async () => {
    const { opens } = await openShop()
    const token = await customerToken(startOfTests, { claims: { name: ' Ann Ω ' } })
    const { status, body, cookies, headers } = answered(await opens(token))
    expect({ status, body }).toEqual({
      status: 200,
      body: { shopperId: 'customer:crm|4711', name: 'Ann Ω', expiresInSeconds: 600 },
    })
    expect(cookies).toEqual([
      `sluice_session=${token}; Max-Age=600; Path=/; Secure; SameSite=Lax; HttpOnly`,
      `sluice_who=Ann%20%CE%A9; Max-Age=600; Path=/; Secure; SameSite=Lax`,
      // The renewal of an earlier person's session.
      'sluice_refresh=; Max-Age=0; Path=/api/sign-in; Secure; HttpOnly; SameSite=Strict',
      expect.stringMatching(/^sluice_pass=v1\./),
    ])
    expect(headers['cache-control']).toMatchObject([{ value: 'no-store' }])
  })

  it('takes the place of no other person, under any name, and of an earlier one of the customer', async () => {
    const { opens, time } = await openShop()
    const named = (sub: string) => customerToken(startOfTests, { claims: { sub, name: 'Ann' } })
    const bearer = await named('4711')
    const opensBeside = async (...sessions: string[]) => {
      const cookie = sessions.map((token) => `sluice_session=${token}`).join('; ')
      return opens('', { headers: { authorization: `Bearer ${bearer}`, origin: shopOrigin, cookie } })
    }
    const conflict = { status: 409, code: 'conflict' }
    const other = await named('4712')
    expect(refusalOf(await opensBeside(other))).toMatchObject(conflict)
    expect(refusalOf(await opensBeside(await tokenAt(time.now)))).toMatchObject(conflict)
    const earlier = await customerToken(startOfTests, { alg: 'RS256', claims: { name: 'Anna' } })
    expect(answered(await opensBeside(earlier)).status).toBe(200)
    // Neither of these is a session of anyone.
    const ended = await customerToken(startOfTests, { claims: { sub: '4712', exp: seconds - 6 } })
    for (const sessions of [['a.b.c'], [ended], [other, other]]) {
      expect(answered(await opensBeside(...sessions)).status).toBe(200)
    }
  })

  it('shows the subject where the token has no name', async () => {
    const { opens } = await openShop()
    expect(answered(await opens(await customerToken(startOfTests))).body.name).toBe('4711')
  })

  it('is opened by a page of this shop alone', async () => {
    const { opens } = await openShop()
    const token = await customerToken(startOfTests)
    for (const origin of ['https://evil.example', crm, 'null']) {
      const headers = { authorization: `Bearer ${token}`, origin }
      expect(refusalOf(await opens(token, { headers }))).toMatchObject({ code: 'origin-not-allowed' })
    }
  })

  it('is opened by a bearer token of a customer alone, which fits into a cookie', async () => {
    const { opens, time } = await openShop()
    expect(refusalOf(await opens(await tokenAt(time.now)))).toMatchObject({
      status: 400,
      code: 'invalid-request',
      body: { field: 'Authorization' },
    })
    const cookie = { cookie: `sluice_session=${await customerToken(startOfTests)}`, origin: shopOrigin }
    expect(refusalOf(await opens('', { headers: cookie }))).toMatchObject({ code: 'invalid-request' })
    const long = await customerToken(startOfTests, { claims: { note: 'x'.repeat(2800) } })
    expect(long.length).toBeGreaterThan(3900)
    expect(refusalOf(await opens(long))).toMatchObject({ status: 413, code: 'too-large' })
  })

  it('is opened at most 30 times in a minute', async () => {
    const { opens } = await openShop()
    const token = await customerToken(startOfTests)
    for (let times = 0; times < 30; times += 1) expect(answered(await opens(token)).status).toBe(200)
    expect(refusalOf(await opens(token))).toMatchObject({ status: 429, code: 'too-many-requests' })
  })
})

describe("the shop's own page for signing in", () => {
  const login = 'https://crm.example/login?shop=1'
  const visit = async (querystring: string, text?: string) => {
    const { handler } = await openShop(text ?? (await textOf({ signInUrl: login })))
    return handler(eventOf({ uri: '/api/sign-in', querystring }))
  }

  it('gets a person who wants to sign in, with the way back, and no function starts', async () => {
    const { status, headers } = answered(await visit('return=%2Fp%2Fmug%2F%3Fa%3D1'))
    expect(status).toBe(303)
    expect(headers.location).toMatchObject([
      { value: `${login}&return=${encodeURIComponent(`${shopOrigin}/p/mug/?a=1`)}` },
    ])
  })

  it('gets no way back to another site', async () => {
    const { headers } = answered(await visit('return=%2F%2Fevil.example%2F'))
    expect(headers.location).toMatchObject([{ value: `${login}&return=${encodeURIComponent(`${shopOrigin}/`)}` }])
  })

  it('is not for the staff of the shop, nor where the shop has none', async () => {
    forwardedOf(await visit('return=%2Fconsole%2F'))
    forwardedOf(await visit('return=%2Fp%2Fmug%2F', await textOf()))
  })

  it('renews no session: without the cookie of a renewal no function starts', async () => {
    const { handler } = await openShop()
    const renew = (headers: object) =>
      handler(eventOf({ method: 'POST', uri: '/api/sign-in/refresh', headers: { origin: shopOrigin, ...headers } }))
    expect(refusalOf(await renew({}))).toMatchObject(refused)
    forwardedOf(await renew({ cookie: 'sluice_refresh=sealed' }))
  })
})
