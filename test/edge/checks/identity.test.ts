import { generateKeyPairSync } from 'node:crypto'
import { base64url, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  buyEvent,
  forwardedOf,
  keys,
  openGate,
  refusalOf,
  sent,
  startOfTests,
  tokenAt,
  unthrottled,
} from '../support.ts'

const { handler, time } = openGate(unthrottled)
const seconds = startOfTests / 1000
const send = async (token: string) => handler(await buyEvent(time.now, { token }))
const expectRefusal = async (token: string) =>
  expect(refusalOf(await send(token))).toMatchObject({ status: 401, code: 'sign-in-required' })
const encode = (value: unknown) => base64url.encode(JSON.stringify(value))

describe('the identity check', () => {
  it('forwards the shopper of the token, with level and roles', async () => {
    const claims = { sub: 'ann@example|7', level: 3, roles: ['member', 'marketer'] }
    const request = forwardedOf(await send(await tokenAt(time.now, { claims })))
    expect(sent(request, 'x-shopper-id')).toEqual(['ann@example|7'])
    expect(sent(request, 'x-shopper-level')).toEqual(['3'])
    expect(sent(request, 'x-shopper-roles')).toEqual(['member,marketer'])
  })

  it('reads a token without level and roles as level 0 and no role', async () => {
    const request = forwardedOf(await send(await tokenAt(time.now)))
    expect(sent(request, 'x-shopper-level')).toEqual(['0'])
    expect(sent(request, 'x-shopper-roles')).toEqual([''])
  })

  it.each<[string, JWTPayload]>([
    ['has expired', { exp: seconds - 5 }],
    ['never expires', { exp: undefined }],
    ['expires at a text', { exp: String(seconds + 600) as unknown as number }],
    ['is not valid yet', { nbf: seconds + 6 }],
    ['was issued in the future', { iat: seconds + 6 }],
    ['was issued at a text', { iat: 'now' as unknown as number }],
    ['comes from another issuer', { iss: 'https://evil.example' }],
    ['names no issuer', { iss: undefined }],
    ['is meant for another audience', { aud: 'other-shop' }],
    ['names no audience', { aud: undefined }],
    ['has no subject', { sub: undefined }],
    ['has an empty subject', { sub: '' }],
    ['has a subject that is invalid in a header', { sub: 'ann\r\nx-shopper-roles: marketer' }],
    ['has a subject that is invalid in a key', { sub: 'ann}' }],
    ['has a level that is no whole number', { level: 1.5 }],
    ['has a negative level', { level: -1 }],
    ['has a level in a text', { level: '9' }],
    ['has roles in a text', { roles: 'marketer' }],
    ['has a role that is two', { roles: ['member,marketer'] }],
    ['has a role that is no text', { roles: [1] }],
    ['has too many roles', { roles: Array.from({ length: 17 }, () => 'member') }],
  ])('refuses a token that %s', async (_what, claims) => {
    await expectRefusal(await tokenAt(time.now, { claims }))
  })

  it.each<[string, JWTPayload]>([
    ['expired 4 s ago', { exp: seconds - 4 }],
    ['becomes valid in 5 s', { nbf: seconds + 5 }],
    ['was issued in 5 s', { iat: seconds + 5 }],
    ['does not say when it was issued', { iat: undefined }],
    ['names our audience among others', { aud: ['other', 'sluice-shop'] }],
  ])('accepts a token that %s: clocks differ', async (_what, claims) => {
    forwardedOf(await send(await tokenAt(time.now, { claims })))
  })

  it('refuses a token with no signature (alg none)', async () => {
    const [, payload = ''] = (await tokenAt(time.now)).split('.')
    await expectRefusal(`${encode({ alg: 'none' })}.${payload}.`)
    await expectRefusal(`${encode({ alg: 'none' })}.${payload}.AAAA`)
  })

  it('refuses a token signed with HMAC over the public key (algorithm confusion)', async () => {
    const pem = Buffer.from(keys.publicKey.export({ type: 'spki', format: 'pem' }))
    const der = keys.publicKey.export({ type: 'spki', format: 'der' })
    for (const secret of [pem, der]) {
      await expectRefusal(await tokenAt(time.now, { algorithm: 'HS256', key: secret }))
    }
  })

  it('refuses a token of another algorithm, also when it contains its own key', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    await expectRefusal(await tokenAt(time.now, { algorithm: 'RS256', key: rsa.privateKey }))
    const edwards = generateKeyPairSync('ed25519')
    await expectRefusal(await tokenAt(time.now, { algorithm: 'EdDSA', key: edwards.privateKey }))
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwk = other.publicKey.export({ format: 'jwk' })
    const claims = { sub: 'ann', iss: 'https://id.example', aud: 'sluice-shop', exp: seconds + 600 }
    const own = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', jwk: { ...jwk } })
    await expectRefusal(await own.sign(other.privateKey))
  })

  it('refuses a token signed with another key', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await expectRefusal(await tokenAt(time.now, { key: other.privateKey }))
  })

  it('refuses a token with a changed byte, also after the true one was seen', async () => {
    const [header = '', payload = '', signature = ''] = (await tokenAt(time.now)).split('.')
    forwardedOf(await send(`${header}.${payload}.${signature}`))
    const richer = encode({
      ...JSON.parse(Buffer.from(payload, 'base64url').toString()),
      roles: ['marketer'],
    })
    await expectRefusal(`${header}.${richer}.${signature}`)
    await expectRefusal(`${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`)
    await expectRefusal(`${header}.${payload}.${signature.slice(0, -4)}`)
  })

  it('refuses a token that requires an unknown extension', async () => {
    const [, payload = '', signature = ''] = (await tokenAt(time.now)).split('.')
    await expectRefusal(`${encode({ alg: 'ES256', crit: ['x'], x: 1 })}.${payload}.${signature}`)
  })

  it('does not reveal what was wrong', async () => {
    const expired = refusalOf(await send(await tokenAt(time.now, { claims: { exp: 1 } })))
    const foreign = refusalOf(await send(await tokenAt(time.now, { claims: { iss: 'x' } })))
    expect(expired.body).toEqual(foreign.body)
  })

  it('puts the request’s id into a refusal', async () => {
    const refusal = refusalOf(await send('a.b.c'))
    expect(refusal.headers['x-request-id']).toMatch(/^4TyzHTaY/)
    expect(refusal.headers['cache-control']).toBe('no-store')
    expect(refusal.headers['content-type']).toBe('application/problem+json')
  })
})

describe('a remembered token', () => {
  it('is refused once it has expired', async () => {
    const gate = openGate(unthrottled)
    const token = await tokenAt(gate.time.now, { claims: { exp: seconds + 20 } })
    forwardedOf(await gate.handler(await buyEvent(gate.time.now, { token })))
    gate.time.now += 24_000
    forwardedOf(await gate.handler(await buyEvent(gate.time.now, { token })))
    gate.time.now += 1000
    expect(refusalOf(await gate.handler(await buyEvent(gate.time.now, { token }))).code).toBe(
      'sign-in-required',
    )
  })
})
