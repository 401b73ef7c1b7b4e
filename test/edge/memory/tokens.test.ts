import crypto, { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import fc from 'fast-check'
import { calculateJwkThumbprint, SignJWT } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSessionTokens } from '../../../edge/memory/tokens.ts'
import { anyText } from '../any-text.ts'
import { encode, signedTexts } from '../forge.ts'
import { audience, issuer, keys, publicJwk, startOfTests, tokenAt } from '../support.ts'

const seconds = startOfTests / 1000
const keyOf = (key: KeyObject, kid?: string) => ({ kid, key })
const rules = { publicKeys: [keyOf(keys.publicKey)], issuer, audience }
const header = '{"alg":"ES256"}'
const usual = { sub: 'ann', iss: issuer, aud: audience, exp: seconds + 600 }
/** By the one key of `rules`, which has no `kid`. */
const keyId = await calculateJwkThumbprint(publicJwk)
const ann = { shopperId: 'ann', level: 0, roles: [], keyId }

function openTokens() {
  const time = { now: startOfTests }
  return { tokens: createSessionTokens(rules, () => time.now), time }
}
const verifyOnce = (token: string) => openTokens().tokens.verify(token)
/** Counts how often a signature had to be verified. */
const signatureChecks = () => vi.spyOn(crypto, 'verify')

afterEach(() => {
  vi.restoreAllMocks()
})

describe('verified tokens', () => {
  it('are remembered, so that a second request costs no verification', async () => {
    const { tokens } = openTokens()
    const token = await tokenAt(startOfTests)
    const checks = signatureChecks()
    for (let i = 0; i < 10; i++) expect(tokens.verify(token)).toEqual(ann)
    expect(checks).toHaveBeenCalledTimes(1)
  })

  it('are forgotten when they expire', async () => {
    const { tokens, time } = openTokens()
    const token = await tokenAt(startOfTests)
    await tokens.verify(token)
    const checks = signatureChecks()
    time.now += 600_000
    expect(tokens.verify(token)).toEqual(ann)
    expect(checks).toHaveBeenCalledTimes(1)
    time.now += 5_000
    expect(tokens.knows(token)).toBe(false)
    expect(await tokens.verify(token)).toBe('expired')
  })

  it('are only valid ones: a refused token is verified again', async () => {
    const { tokens, time } = openTokens()
    const token = await tokenAt(startOfTests, { claims: { nbf: seconds + 120 } })
    expect(await tokens.verify(token)).toBeUndefined()
    time.now += 60_000
    expect(await tokens.verify(token)).toEqual(ann)
  })

  it('are not displaced by a flood of invalid ones: those are not stored', async () => {
    const { tokens } = openTokens()
    const first = await tokenAt(startOfTests)
    await tokens.verify(first)
    for (let i = 0; i < 25_000; i++) await tokens.verify(`${i}.b.c`)
    const checks = signatureChecks()
    await tokens.verify(first)
    expect(checks).not.toHaveBeenCalled()
  })
})

describe('a token the issuer really signed', () => {
  it.each([
    ['no type', {}],
    ['the type JWT', { typ: 'JWT' }],
    ['that type in another spelling', { typ: 'application/jwt' }],
    ['a key id', { kid: 'k-1' }],
    ['the address of a key set', { jku: 'https://evil.example/keys' }],
  ])('is accepted with %s in its header', async (_what, more) => {
    const token = signedTexts(JSON.stringify({ alg: 'ES256', ...more }), JSON.stringify(usual))
    expect(await verifyOnce(token)).toEqual(ann)
  })

  it.each([
    ['another type, so that no other kind of token is a session', '{"alg":"ES256","typ":"logout+jwt"}'],
    ['a type that is no text', '{"alg":"ES256","typ":["JWT"]}'],
    ['an extension it calls critical', '{"alg":"ES256","crit":["exp"],"exp":1}'],
    ['an empty list of critical extensions', '{"alg":"ES256","crit":[]}'],
    ['another algorithm', '{"alg":"ES384"}'],
    ['the algorithm in lower case', '{"alg":"es256"}'],
    ['the algorithm in a list', '{"alg":["ES256"]}'],
    ['the algorithm of its prototype', '{"__proto__":{"alg":"ES256"}}'],
    ['a second algorithm', '{"alg":"ES256","alg":"none"}'],
    ['no object', '"ES256"'],
    ['null', 'null'],
    ['a list', '["ES256"]'],
    ['no JSON', '{alg:ES256}'],
    ['nothing', ''],
  ])('is refused with %s in its header', async (_what, text) => {
    expect(await verifyOnce(signedTexts(text, JSON.stringify(usual)))).toBeUndefined()
  })

  const without = (claims: Record<string, unknown>) => JSON.stringify({ ...usual, ...claims })
  it.each([
    ['null', 'null'],
    ['a list', JSON.stringify([usual])],
    ['a text', '"ann"'],
    ['a number', '1'],
    ['no JSON', '{sub:ann}'],
    ['nothing', ''],
    ['the end of an infinite time', without({}).replace(`${usual.exp}`, '1e999')],
    ['an end that is not a number', without({ exp: 'NaN' })],
    ['an end in a text', without({ exp: String(usual.exp) })],
    ['an end in a list', without({ exp: [usual.exp] })],
    ['the end null', without({ exp: null })],
    ['a beginning that is infinitely long ago', without({ nbf: 0 }).replace('"nbf":0', '"nbf":-1e999')],
    ['the beginning null', without({ nbf: null })],
    ['the time of issue true', without({ iat: true })],
    ['its claims on the prototype', JSON.stringify({ x: 1 }).replace('"x":1', `"__proto__":${without({})}`)],
    ['an issuer in a list', without({ iss: [issuer] })],
    ['an issuer that only begins like ours', without({ iss: `${issuer}.evil.example` })],
    ['an audience that only begins like ours', without({ aud: `${audience}2` })],
    ['an audience in an object', without({ aud: { [audience]: true } })],
    ['an audience in a list of lists', without({ aud: [[audience]] })],
    ['no audience in its list', without({ aud: [] })],
    ['a subject in a list', without({ sub: ['ann'] })],
    ['no end', without({ exp: undefined })],
    ['an end that is NaN', without({}).replace(`${usual.exp}`, 'NaN')],
    ['a beginning in the future', without({ nbf: seconds + 61 })],
    ['a beginning in a text', without({ nbf: '0' })],
    ['a time of issue in the future', without({ iat: seconds + 61 })],
    ['a time of issue in a text', without({ iat: 'now' })],
    ['another issuer', without({ iss: 'https://evil.example' })],
    ['no issuer', without({ iss: undefined })],
    ['another audience', without({ aud: 'other-shop' })],
    ['no audience', without({ aud: undefined })],
    ['no subject', without({ sub: undefined })],
    ['an empty subject', without({ sub: '' })],
    ['a subject that is invalid in a header', without({ sub: 'ann\r\nx-shopper-roles: marketer' })],
    ['a subject that is invalid in a key', without({ sub: 'ann}' })],
    ['a level that is no whole number', without({ level: 1.5 })],
    ['a negative level', without({ level: -1 })],
    ['a level in a text', without({ level: '9' })],
    ['roles in a text', without({ roles: 'marketer' })],
    ['a role that is two', without({ roles: ['member,marketer'] })],
    ['a role that is no text', without({ roles: [1] })],
    ['too many roles', without({ roles: Array.from({ length: 17 }, () => 'member') })],
  ])('is refused when it claims %s', async (_what, text) => {
    expect(await verifyOnce(signedTexts(header, text))).toBeUndefined()
  })

  it.each([
    ['expired 4 s ago', { exp: seconds - 4 }],
    ['becomes valid in a minute', { nbf: seconds + 60 }],
    ['was issued in a minute', { iat: seconds + 60 }],
    ['names our audience among others', { aud: ['other', audience] }],
  ])('is accepted when it %s: clocks differ', async (_what, claims) => {
    expect(await verifyOnce(signedTexts(header, without(claims)))).toEqual(ann)
  })

  it('is refused when its signature is written with padding, or is incomplete', async () => {
    const token = signedTexts(header, JSON.stringify(usual))
    expect(await verifyOnce(token)).toEqual(ann)
    for (const bad of [token.slice(0, -1), token.slice(0, -2), `${token}AA`, `${token}.`, `${token}.${token}`]) {
      expect(await verifyOnce(bad)).toBeUndefined()
    }
  })

  it('is refused in the form of certificates (DER), which is not a token’s signature', async () => {
    const [head, payload] = signedTexts(header, JSON.stringify(usual)).split('.')
    const der = sign('sha256', Buffer.from(`${head}.${payload}`), keys.privateKey).toString('base64url')
    expect(await verifyOnce(`${head}.${payload}.${der}`)).toBeUndefined()
  })
})

describe('a forged token (L6)', () => {
  const payload = JSON.stringify(usual)
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const wide = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const edwards = generateKeyPairSync('ed25519')
  const [head = '', claims = '', signature = ''] = signedTexts(header, payload).split('.')

  const unsigned = (alg: string, signature = 'AAAA') => [encode(JSON.stringify({ alg })), claims, signature].join('.')
  /** Key confusion: our public key, which is public knowledge, used as a shared secret. */
  function hmacOver(secret: string | Buffer, alg = 'HS256') {
    const text = `${encode(JSON.stringify({ alg }))}.${claims}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  const by = (algorithm: string, { privateKey: key }: { privateKey: KeyObject }) =>
    tokenAt(startOfTests, { algorithm, key })
  /** Signed by a key of the attacker, with a header that says where to find it. */
  const bringing = (more: object) => signedTexts(JSON.stringify({ alg: 'ES256', ...more }), payload, own.privateKey)

  it.each<[string, string | Promise<string>]>([
    ...['none', 'None', 'nOnE', 'none ', '', 'ES256'].map((alg): [string, string] => [`alg "${alg}"`, unsigned(alg)]),
    ['alg none without a signature', unsigned('none', '')],
    ['alg ES256 without a signature', unsigned('ES256', '')],
    ['no alg', `${encode('{}')}.${claims}.AAAA`],
    ['unsigned claims that are null', `${head}.${encode('null')}.AAAA`],
    ['an HMAC over the public key as PEM', hmacOver(keys.publicKey.export({ type: 'spki', format: 'pem' }))],
    ['an HMAC over the public key as DER', hmacOver(keys.publicKey.export({ type: 'spki', format: 'der' }))],
    ['an HMAC over the public key as JWK', hmacOver(JSON.stringify(publicJwk))],
    ['an HMAC over nothing', hmacOver('')],
    ['alg ES256 and an HMAC', hmacOver(JSON.stringify(publicJwk), 'ES256')],
    ['a key of RS256', by('RS256', rsa)],
    ['a key of PS256', by('PS256', rsa)],
    ['a key of ES384', by('ES384', wide)],
    ['a key of EdDSA', by('EdDSA', edwards)],
    ['another key', bringing({})],
    ['a key of its own in the header (jwk)', bringing({ jwk: own.publicKey.export({ format: 'jwk' }) })],
    ['the address of a key set (jku)', bringing({ jku: 'https://evil.example/keys.json' })],
    ['the address of a certificate (x5u)', bringing({ x5u: 'https://evil.example/cert.pem' })],
    ['the id of a key that is a path (kid)', bringing({ kid: '../../../../dev/null' })],
    ['an extension called critical', `${encode('{"alg":"ES256","crit":["x"],"x":1}')}.${claims}.${signature}`],
    ['other claims', `${head}.${encode(payload.replace('"ann"', '"mallory"'))}.${signature}`],
    ['a signature that is cut short', `${head}.${claims}.${signature.slice(0, 43)}`],
    ['a changed signature', `${head}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
    [
      'a signature of zeros, which a careless verifier takes for any',
      `${head}.${claims}.${Buffer.alloc(64).toString('base64url')}`,
    ],
  ])('is refused with %s, also after the true one was seen', async (_what, token) => {
    const { tokens } = openTokens()
    expect(await tokens.verify(`${head}.${claims}.${signature}`)).toEqual(ann)
    expect(await tokens.verify(await token)).toBeUndefined()
  })
})

it('text that is not a token identifies no shopper, and is not a defect of ours', async () => {
  const part = fc.oneof(
    fc.json().map(encode),
    anyText,
    fc.constantFrom(encode(header), encode(JSON.stringify(usual)), encode('null'), '', '='),
  )
  const { tokens } = openTokens()
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
      expect(await tokens.verify(parts.join('.'))).toBeUndefined()
    }),
    { numRuns: 500 },
  )
})

describe('a defect of ours', () => {
  it('is thrown, and no shopper is asked to sign in again because of it', async () => {
    const token = await tokenAt(startOfTests)
    // Nothing is awaited from here on: another gate of this process would take the failure.
    signatureChecks().mockImplementationOnce(() => {
      throw new Error('out of memory')
    })
    expect(() => verifyOnce(token)).toThrow('out of memory')
  })

  it('is a key that is not one for ES256, found when the gate starts', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    expect(() => createSessionTokens({ ...rules, publicKeys: [keyOf(publicKey)] }, () => startOfTests)).toThrow()
  })
})

describe('session keys', () => {
  const former = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const next = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const both = { ...rules, publicKeys: [keyOf(former.publicKey, 'former'), keyOf(next.publicKey, 'next')] }
  const tokenOf = ({ privateKey }: typeof former, kid?: string) =>
    new SignJWT({ sub: 'ann', iss: issuer, aud: audience, exp: seconds + 600 })
      .setProtectedHeader({ alg: 'ES256', ...(kid !== undefined && { kid }) })
      .sign(privateKey)
  const tokens = createSessionTokens(both, () => startOfTests)

  it('are a set: a rotation ends no session, signed with either key', async () => {
    expect(await tokens.verify(await tokenOf(former, 'former'))).toEqual({ ...ann, keyId: 'former' })
    expect(await tokens.verify(await tokenOf(next, 'next'))).toEqual({ ...ann, keyId: 'next' })
  })

  it('are all tried for a token without a key id, which names the one that fits', async () => {
    expect(await tokens.verify(await tokenOf(former))).toEqual({ ...ann, keyId: 'former' })
    expect(await tokens.verify(await tokenOf(next))).toEqual({ ...ann, keyId: 'next' })
    expect(await tokens.verify(await tokenOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })))).toBeUndefined()
  })

  it('are tried by their id, once for each token', async () => {
    const [wrong, unknown] = [await tokenOf(next, 'former'), await tokenOf(next, 'another')]
    const checks = signatureChecks()
    expect(tokens.verify(wrong)).toBeUndefined()
    expect(checks).toHaveBeenCalledTimes(1)
    expect(tokens.verify(unknown)).toBeUndefined()
    expect(checks).toHaveBeenCalledTimes(1)
  })

  it('without an id are tried for any token, and go by their thumbprint: identity providers name theirs, settings need not', async () => {
    const one = createSessionTokens({ ...rules, publicKeys: [keyOf(next.publicKey)] }, () => startOfTests)
    expect(await one.verify(await tokenOf(next, 'any'))).toMatchObject({
      keyId: await calculateJwkThumbprint(next.publicKey.export({ format: 'jwk' })),
    })
  })

  it('that were removed from the set accept no session', async () => {
    const after = createSessionTokens({ ...rules, publicKeys: [keyOf(next.publicKey, 'next')] }, () => startOfTests)
    expect(await after.verify(await tokenOf(former, 'former'))).toBeUndefined()
    expect(await after.verify(await tokenOf(former))).toBeUndefined()
  })
})
