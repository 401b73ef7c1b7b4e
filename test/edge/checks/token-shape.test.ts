import { describe, expect, it } from 'vitest'
import {
  eventOf,
  forwardedOf,
  openGate,
  refusalOf,
  saleId,
  sent,
  shopOrigin,
  startToken,
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
