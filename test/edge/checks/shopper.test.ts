import { describe, expect, it } from 'vitest'
import {
  buyEvent,
  controlEvent,
  eventOf,
  forwardedOf,
  openGate,
  openSaleFacts,
  refusalOf,
  ruled,
  saleId,
  sent,
  shopOrigin,
  startOfTests,
  startToken,
  throttled,
  tokenAt,
  unthrottled,
} from '../support.ts'

describe('the check for a session token', () => {
  const { handler, time } = openGate(unthrottled)

  const withHeaders = async (headers: Record<string, string | string[]>, querystring = '') =>
    handler(
      eventOf({
        ...{ method: 'POST', uri: `/api/sales/${saleId}/orders`, querystring },
        body: JSON.stringify({ quantity: 1, startToken }),
        headers: { 'content-type': 'application/json', origin: shopOrigin, ...headers },
      }),
    )

  it.each<[string, (good: string) => Record<string, string | string[]>]>([
    ['a bearer token with a scheme in any case', (good) => ({ authorization: `bearer ${good}` })],
    ['the session cookie among others', (good) => ({ cookie: `a=1; sluice_session=${good}; b=2` })],
    [
      'the session cookie after spaces and a tab',
      (good) => ({ cookie: `\u00a0sluice_session=x;  \tsluice_session=${good}\t` }),
    ],
    [
      'the session cookie among its like',
      (good) => ({ cookie: `sluice_session_=x; sluice_session=${good}; sluice_sessio=n` }),
    ],
    [
      'the session cookie among hundreds',
      (good) => ({ cookie: `${'__proto__=b; '.repeat(300)}sluice_session=${good}` }),
    ],
    ['the session cookie in one of several headers', (good) => ({ cookie: ['a=1', `sluice_session=${good}`, 'b=2'] })],
  ])('accepts %s, and never forwards it to the origin', async (_, headersOf) => {
    const token = await tokenAt(time.now)
    const request = forwardedOf(await withHeaders(headersOf(token)))
    expect(sent(request, 'authorization')).toEqual([])
    expect(sent(request, 'cookie')).toEqual([])
    expect(JSON.stringify(request)).not.toContain(token)
  })

  it.each<[string, (good: string, other: string) => Record<string, string | string[]>]>([
    ['none', () => ({})],
    ['two in headers', (good) => ({ authorization: [`Bearer ${good}`, `Bearer ${good}`] })],
    ['a good one and another', (good) => ({ authorization: [`Bearer ${good}`, 'Bearer a.b.c'] })],
    ['two in one header', (good) => ({ authorization: `Bearer ${good}, Bearer ${good}` })],
    ['a cookie in quotes', (good) => ({ cookie: `sluice_session="${good}"` })],
    ['two cookies', (good, other) => ({ cookie: `sluice_session=${good}; sluice_session=${other}` })],
    [
      'two cookies in two headers',
      (good, other) => ({ cookie: [`sluice_session=${good}`, `sluice_session=${other}`] }),
    ],
    ['a bad one before a good cookie', (good) => ({ authorization: 'Basic YTpi', cookie: `sluice_session=${good}` })],
    ...['', 'Bearer', 'Bearer ', 'Bearer a.b', 'Bearer a.b.c.d', 'Bearer a.b. c', 'Bearer ä.b.c'].map(
      (authorization): [string, () => { authorization: string }] => [
        JSON.stringify(authorization),
        () => ({ authorization }),
      ],
    ),
  ])('refuses a request with %s, and says how to sign in', async (_, headersOf) => {
    const good = await tokenAt(time.now)
    const other = await tokenAt(time.now, { claims: { sub: 'bob' } })
    const refusal = refusalOf(await withHeaders(headersOf(good, other), `token=${good}`))
    expect(refusal).toMatchObject({ status: 401, code: 'sign-in-required', headers: { 'www-authenticate': 'Bearer' } })
  })

  it('refuses a token longer than any browser stores', async () => {
    const authorization = `Bearer ${await tokenAt(time.now, { claims: { x: 'x'.repeat(4096) } })}`
    expect(refusalOf(await withHeaders({ authorization })).code).toBe('sign-in-required')
  })
})

const { buy, time } = openGate(unthrottled)
const seconds = startOfTests / 1000
const send = async (token: string) => buy({ token })

/** Every token that is refused is in test/edge/memory/tokens.test.ts. */
describe('the identity check', () => {
  it('forwards the shopper of the token, with level and roles', async () => {
    const claims = { sub: 'ann@example|7', level: 3, roles: ['member', 'marketer'] }
    const request = forwardedOf(await send(await tokenAt(time.now, { claims })))
    expect(sent(request, 'x-shopper-id')).toEqual(['ann@example|7'])
    expect(sent(request, 'x-shopper-level')).toEqual(['3'])
    expect(sent(request, 'x-shopper-roles')).toEqual(['member,marketer'])
  })

  it('refuses a token that is expired, foreign or forged, and does not reveal what was wrong (L6)', async () => {
    const expired = refusalOf(await send(await tokenAt(time.now, { claims: { exp: seconds - 5 } })))
    const foreign = refusalOf(await send(await tokenAt(time.now, { claims: { iss: 'x' } })))
    const forged = refusalOf(await send(`${(await tokenAt(time.now)).slice(0, -4)}AAAA`))
    expect(expired).toMatchObject({ status: 401, code: 'sign-in-required' })
    expect([foreign, forged]).toEqual([expired, expired])
    expect(expired.headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^4TyzHTaY/),
      'cache-control': 'no-store',
      'content-type': 'application/problem+json',
    })
  })
})

const oncePer = (windowSeconds: number) => throttled({ perShopper: { limit: 1, windowSeconds } })

describe('the throttle per shopper', () => {
  it('counts each shopper separately, by identity and not by token (R2)', async () => {
    const { buy } = openGate(oncePer(60))
    forwardedOf(await buy({ claims: { sub: 'ann' } }))
    forwardedOf(await buy({ claims: { sub: 'bob' } }))
    const again = await buy({ claims: { sub: 'ann', jti: 'another token' } })
    expect(refusalOf(again).code).toBe('too-many-requests')
  })

  it('counts each sale separately', async () => {
    const { buy, store } = openGate(oncePer(60))
    store.sales['other-sale'] = { ...openSaleFacts, ...oncePer(60) }
    forwardedOf(await buy())
    forwardedOf(await buy({ uri: '/api/sales/other-sale/orders' }))
  })

  it('counts buy requests and order changes separately', async () => {
    const { buy, changeOrder } = openGate(oncePer(60))
    forwardedOf(await buy())
    forwardedOf(await changeOrder())
    expect(refusalOf(await buy()).code).toBe('too-many-requests')
    forwardedOf(await changeOrder())
  })
})

describe('the check of the level', () => {
  it.each([3, 4, 100])('admits a member of level %d where 3 is required (R6)', async (level) => {
    const { buy } = openGate(ruled({ minLevel: 3 }))
    forwardedOf(await buy({ claims: { level } }))
  })

  it.each([undefined, 0, 2])('refuses level %s there, and names the required level (R6)', async (level) => {
    const { buy, store } = openGate(ruled({ minLevel: 3 }))
    const refusal = refusalOf(await buy({ claims: { level } }))
    expect(refusal).toMatchObject({ status: 403, code: 'level-too-low' })
    expect(refusal.body.detail).toMatch(/level 3/)
    expect(store.asks).toEqual([])
  })

  it('admits every shopper where the sale has no minimum, and trusts no header', async () => {
    const { buy, time } = openGate()
    forwardedOf(await buy())
    const strict = openGate(ruled({ minLevel: 1 }))
    const event = await buyEvent(time.now, { headers: { 'x-shopper-level': '9' } })
    expect(refusalOf(await strict.handler(event)).code).toBe('level-too-low')
  })
})

describe('the role check', () => {
  const { control, handler, time } = openGate()

  it('lets marketers run sales', async () => {
    const request = forwardedOf(await control())
    expect(sent(request, 'x-shopper-id')).toEqual(['mara'])
    expect(sent(request, 'x-shopper-roles')).toEqual(['marketer'])
  })

  it.each([[], ['member'], ['marketers'], ['marketer-assistant'], ['member', 'viewers']])(
    'refuses all other roles on every control route: roles %j',
    async (...roles) => {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        const event = await controlEvent(time.now, { method, claims: { sub: 'ann', roles } })
        expect(refusalOf(await handler(event))).toMatchObject({ status: 403, code: 'role-required' })
      }
    },
  )

  it('does not let a viewer forge the role or the identity in headers, in any spelling', async () => {
    const forged = ['x-shopper-roles', 'X-Shopper-Roles', 'x-shopper-id', 'x-roles']
    const headers = Object.fromEntries(forged.map((name) => [name, 'marketer']))
    const claims = { sub: 'vera', roles: ['viewer'] }
    const event = await controlEvent(time.now, { claims, headers })
    expect(refusalOf(await handler(event))).toMatchObject({ code: 'role-required', body: { roles: ['marketer'] } })
    const uri = '/api/control/audit'
    const reading = await controlEvent(time.now, { method: 'GET', uri, claims, headers })
    const request = forwardedOf(await handler(reading))
    expect(sent(request, 'x-shopper-id')).toEqual(['vera'])
    expect(sent(request, 'x-shopper-roles')).toEqual(['viewer'])
    expect(sent(request, 'x-roles')).toEqual([])
  })

  it('adds up several roles in one token, and counts no other name among them', async () => {
    const uri = '/api/control/dead-letters/redrive'
    const claims = (...roles: string[]) => ({ sub: 'sam', roles })
    const both = await controlEvent(time.now, { uri, claims: claims('viewer', 'support', 'member') })
    expect(sent(forwardedOf(await handler(both)), 'x-shopper-roles')).toEqual(['viewer,support,member'])
    const one = await controlEvent(time.now, { uri, claims: claims('viewer', 'member') })
    expect(refusalOf(await handler(one)).code).toBe('role-required')
  })

  it.each([['Marketer'], ['marketer,viewer'], [' marketer'], ['']])(
    'takes a token with the role "%s" for none of ours',
    async (role) => {
      const event = await controlEvent(time.now, { claims: { sub: 'ann', roles: [role] } })
      expect(refusalOf(await handler(event)).code).toBe('sign-in-required')
    },
  )

  it('checks the session before it says that a role is missing', async () => {
    const event = await controlEvent(time.now, { token: 'a.b.c' })
    expect(refusalOf(await handler(event)).code).toBe('sign-in-required')
  })
})
