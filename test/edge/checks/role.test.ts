import { describe, expect, it } from 'vitest'
import { controlEvent, forwardedOf, openGate, refusalOf, sent } from '../support.ts'

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
