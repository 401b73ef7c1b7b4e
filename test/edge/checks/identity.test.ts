import { describe, expect, it } from 'vitest'
import { forwardedOf, openGate, refusalOf, sent, startOfTests, tokenAt, unthrottled } from '../support.ts'

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

  it('reads a token without level, roles and time of issue as level 0 and no role', async () => {
    const request = forwardedOf(await send(await tokenAt(time.now, { claims: { iat: undefined } })))
    expect(sent(request, 'x-shopper-level')).toEqual(['0'])
    expect(sent(request, 'x-shopper-roles')).toEqual([''])
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
