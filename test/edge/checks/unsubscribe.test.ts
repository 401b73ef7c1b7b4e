/** The link of an e-mail at the gate. */
import { describe, expect, it } from 'vitest'
import { type EventParts, eventOf, forwardedOf, openGate, refusalOf, sent } from '../support.ts'

const link = (change: EventParts = {}) =>
  eventOf({ method: 'GET', uri: '/api/unsubscribe', querystring: 'token=a.b_c-d', ...change })

describe('the link of an e-mail', () => {
  it('needs no session and no origin, and keeps its token alone', async () => {
    const { handler } = openGate()
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://mail.example',
      authorization: 'Bearer a.b.c',
      'x-shopper-id': 'eve',
      cookie: 'sluice_session=a.b.c',
    }
    for (const [method, body] of [
      ['GET', ''],
      ['POST', 'List-Unsubscribe=One-Click'],
    ] as const) {
      const request = forwardedOf(await handler(link({ method, body, headers })))
      expect(request.querystring).toBe('token=a.b_c-d')
      for (const name of ['authorization', 'x-shopper-id', 'cookie', 'origin']) {
        expect(sent(request, name), name).toEqual([])
      }
    }
  })

  it('is refused with a long body, other methods and characters that no token has', async () => {
    const { handler } = openGate()
    const codes = [
      link({ method: 'POST', body: 'x'.repeat(65) }),
      link({ method: 'DELETE' }),
      link({ querystring: 'token=<script>' }),
    ].map(async (event) => refusalOf(await handler(event)).code)
    expect(await Promise.all(codes)).toEqual(['too-large', 'method-not-allowed', 'invalid-request'])
  })
})
