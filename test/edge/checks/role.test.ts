import { describe, expect, it } from 'vitest'
import { controlEvent, forwardedOf, openGate, refusalOf, sent } from '../support.ts'

describe('the role check', () => {
  const { handler, time } = openGate()

  it('lets marketers run sales', async () => {
    const request = forwardedOf(await handler(await controlEvent(time.now)))
    expect(sent(request, 'x-shopper-id')).toEqual(['mara'])
    expect(sent(request, 'x-shopper-roles')).toEqual(['marketer'])
  })

  it.each([[], ['member'], ['marketers'], ['marketer-assistant']])(
    'refuses all other roles on every control route: roles %j',
    async (...roles) => {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        const event = await controlEvent(time.now, { method, claims: { sub: 'ann', roles } })
        expect(refusalOf(await handler(event))).toMatchObject({ status: 403, code: 'role-required' })
      }
    },
  )

  it('does not trust a role in a client’s header', async () => {
    const headers = { 'x-shopper-roles': 'marketer', 'X-Shopper-Id': 'mara' }
    const event = await controlEvent(time.now, { claims: { sub: 'ann' }, headers })
    expect(refusalOf(await handler(event)).code).toBe('role-required')
  })

  it('checks the session before it says that a role is missing', async () => {
    const event = await controlEvent(time.now, { token: 'a.b.c' })
    expect(refusalOf(await handler(event)).code).toBe('sign-in-required')
  })
})
