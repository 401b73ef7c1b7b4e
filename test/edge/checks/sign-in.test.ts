import { describe, expect, it } from 'vitest'
import { type EventParts, eventOf, forwardedOf, openGate, refusalOf, sent, shopOrigin, tokenAt } from '../support.ts'

const signIn = (change: EventParts = {}) => eventOf({ method: 'GET', uri: '/api/sign-in', ...change })
const json = { 'content-type': 'application/json' }
const ending = (headers: EventParts['headers'] = { ...json, origin: shopOrigin }) =>
  eventOf({ method: 'POST', uri: '/api/sign-in/end', body: '{}', headers })

describe('a request of the sign-in', () => {
  const { handler, time } = openGate()

  it('needs no session, and takes no identity and no other cookie along', async () => {
    const token = await tokenAt(time.now)
    const cookie = `sluice_session=${token}; sluice_sign_in_x=a..b; sluice_sign_in_y=e; other=1; sluice_refresh=c..d; xsluice_refresh=e`
    const headers = {
      cookie,
      'x-shop-origin': 'https://evil.example',
      'x-shopper-id': 'eve',
      authorization: `Bearer ${token}`,
    }
    const request = forwardedOf(await handler(signIn({ headers })))
    expect(sent(request, 'cookie')).toEqual(['sluice_sign_in_x=a..b; sluice_sign_in_y=e; sluice_refresh=c..d'])
    expect(sent(request, 'x-shop-origin')).toEqual([shopOrigin])
    expect(sent(request, 'x-shopper-id')).toEqual([])
    expect(sent(request, 'authorization')).toEqual([])
  })

  it('keeps both cookies of one name, so that the function refuses them', async () => {
    const cookie = 'sluice_sign_in_x=a; sluice_sign_in_x=b'
    const request = forwardedOf(await handler(signIn({ headers: { cookie } })))
    expect(sent(request, 'cookie')).toEqual(['sluice_sign_in_x=a; sluice_sign_in_x=b'])
  })

  it('brings back what issuers write into the query, and no more than that', async () => {
    const uri = '/api/sign-in/callback'
    const querystring = `code=${'4%2F0A~b.c'.repeat(200)}&state=x_y-z&iss=https%3A%2F%2Flogin.example&error_description=Not+(yet)`
    expect(forwardedOf(await handler(signIn({ uri, querystring }))).querystring).toBe(querystring)
    for (const bad of ['code=<script>', 'code=a b', `code=${'x'.repeat(4100)}`]) {
      const refusal = refusalOf(await handler(signIn({ uri, querystring: bad })))
      expect(refusal).toMatchObject({ status: 400, code: 'invalid-request' })
    }
  })

  it('ends or renews a session only from a page of the shop, although the browser adds its cookies', async () => {
    forwardedOf(await handler(ending()))
    for (const origin of [undefined, 'https://evil.example', 'null']) {
      const headers = origin === undefined ? json : { ...json, origin }
      expect(refusalOf(await handler(ending(headers))).code).toBe('origin-not-allowed')
    }
    const form = { origin: shopOrigin, 'content-type': 'application/x-www-form-urlencoded' }
    expect(refusalOf(await handler(ending(form))).code).toBe('unsupported-media-type')
  })
})
