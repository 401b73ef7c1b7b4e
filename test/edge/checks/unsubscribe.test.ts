/** The link of an email at the gate. */
import { describe, expect, it } from 'vitest'
import { emptyLocation } from '../../local/key-values.ts'
import { openPreGate } from '../pre-gate-visits.ts'
import { type EventParts, eventOf, forwardedOf, openGate, refusalOf, sent } from '../support.ts'

const link = (change: EventParts = {}) =>
  eventOf({ method: 'GET', uri: '/api/unsubscribe', querystring: 'token=a.b_c-d', ...change })

describe('the link of an email', () => {
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

  it('passes CloudFront’s function with the form of a mail program, of either type (RFC 8058)', async () => {
    const { visit } = await openPreGate(emptyLocation())
    const multipart = '--b\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
      ['multipart/form-data; boundary=b', multipart],
    ] as const) {
      const headers = { 'content-type': type, 'content-length': String(body.length) }
      expect(await visit({ method: 'POST', uri: '/api/unsubscribe', headers }), type).toBeUndefined()
      const { handler } = openGate()
      forwardedOf(await handler(link({ method: 'POST', body, headers })))
    }
  })

  it('is refused with a long body, other methods and characters that no token has', async () => {
    const { handler } = openGate()
    const codes = [
      link({ method: 'POST', body: 'x'.repeat(513) }),
      link({ method: 'DELETE' }),
      link({ querystring: 'token=<script>' }),
    ].map(async (event) => refusalOf(await handler(event)).code)
    expect(await Promise.all(codes)).toEqual(['too-large', 'method-not-allowed', 'invalid-request'])
  })
})
