import { describe, expect, it } from 'vitest'
import { buyEvent, forwardedOf, openGate, refusalOf, sent, tokenAt, unthrottled } from '../support.ts'

describe('the check for a session token', () => {
  const { handler, time } = openGate(unthrottled)

  async function withHeaders(headers: Record<string, string | string[]>) {
    const event = await buyEvent(time.now)
    const { request } = event.Records[0]?.cf ?? {}
    if (request === undefined) throw new Error('the event has a request')
    delete request.headers.authorization
    for (const [key, values] of Object.entries(headers)) {
      request.headers[key] = [values].flat().map((value) => ({ key, value }))
    }
    return handler(event)
  }
  const expectRefusal = async (headers: Record<string, string | string[]>) =>
    expect(refusalOf(await withHeaders(headers))).toMatchObject({ status: 401, code: 'sign-in-required' })

  it('accepts a bearer token with a scheme in any case', async () => {
    forwardedOf(await withHeaders({ authorization: `bearer ${await tokenAt(time.now)}` }))
  })

  it('accepts the session cookie among other cookies, in one header or several', async () => {
    const session = `sluice_session=${await tokenAt(time.now)}`
    forwardedOf(await withHeaders({ cookie: `a=1; ${session}; b=2` }))
    forwardedOf(await withHeaders({ cookie: ['a=1', session, 'b=2'] }))
  })

  it('refuses a request without a token, and says how to sign in', async () => {
    const refusal = refusalOf(await withHeaders({}))
    expect(refusal).toMatchObject({ status: 401, code: 'sign-in-required' })
    expect(refusal.headers['www-authenticate']).toBe('Bearer')
  })

  it('refuses two Authorization headers, and uses neither', async () => {
    const good = `Bearer ${await tokenAt(time.now)}`
    await expectRefusal({ authorization: [good, good] })
    await expectRefusal({ authorization: [good, 'Bearer a.b.c'] })
    await expectRefusal({ authorization: `${good}, ${good}` })
  })

  it('refuses two session cookies, and uses neither', async () => {
    const ann = `sluice_session=${await tokenAt(time.now)}`
    const bob = `sluice_session=${await tokenAt(time.now, { claims: { sub: 'bob' } })}`
    await expectRefusal({ cookie: `${ann}; ${bob}` })
    await expectRefusal({ cookie: [ann, bob] })
  })

  it('does not fall back on the cookie when the Authorization header is unusable', async () => {
    await expectRefusal({
      authorization: 'Basic YTpi',
      cookie: `sluice_session=${await tokenAt(time.now)}`,
    })
  })

  it.each(['', 'Bearer', 'Bearer ', 'Bearer a.b', 'Bearer a.b.c.d', 'Bearer a.b. c', 'Bearer ä.b.c'])(
    'refuses %j',
    async (authorization) => expectRefusal({ authorization }),
  )

  it('refuses a token longer than any browser stores', async () => {
    await expectRefusal({
      authorization: `Bearer ${await tokenAt(time.now, { claims: { x: 'x'.repeat(4096) } })}`,
    })
  })

  it('never forwards the credentials to the origin', async () => {
    const token = await tokenAt(time.now)
    const request = forwardedOf(await withHeaders({ authorization: `Bearer ${token}`, cookie: 'a=1' }))
    expect(sent(request, 'authorization')).toEqual([])
    expect(sent(request, 'cookie')).toEqual([])
    expect(JSON.stringify(request)).not.toContain(token)
  })
})
