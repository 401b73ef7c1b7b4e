/**
 * Attacks on the gate through its public interface: a CloudFront event in, an answer out. An answer
 * with a problem means that nothing was forwarded. The details of each check are in the tests
 * beside it.
 */
import { createHash, createHmac, generateKeyPairSync } from 'node:crypto'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { JWTPayload } from 'jose'
import { describe, expect, it } from 'vitest'
import type { ProblemCode } from '../../core/outcome.ts'
import type { EdgeEvent } from '../../edge/cloudfront.ts'
import { encode, signedTexts } from './forge.ts'
import { solve } from './solve.ts'
import {
  audience,
  buyEvent,
  challengeEvent,
  type EventParts,
  eventOf,
  forwardedOf,
  issuer,
  keys,
  openGate,
  openSaleFacts,
  publicJwk,
  refusalOf,
  ruled,
  saleId,
  saleIdOf,
  sent,
  shopOrigin,
  startOfTests,
  startToken,
  tokenAt,
} from './support.ts'

const now = startOfTests
const seconds = now / 1000
const claims = { sub: 'ann', iss: issuer, aud: audience, iat: seconds, exp: seconds + 600 }
const payload = JSON.stringify(claims)

/** One gate per attack, so that no attack is refused because of another. */
async function expectRefused(event: EdgeEvent | Promise<EdgeEvent>, status: number, code: ProblemCode) {
  expect(refusalOf(await openGate().handler(await event))).toMatchObject({ status, code })
}

describe('a forged session (L6)', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const wide = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ownJwk = own.publicKey.export({ format: 'jwk' })

  const unsigned = (alg: string, signature = 'AAAA') =>
    `${encode(JSON.stringify({ alg, typ: 'JWT' }))}.${encode(payload)}.${signature}`

  /** Key confusion: our public key, which is public knowledge, used as a shared secret. */
  function hmacOver(secret: string | Buffer, alg = 'HS256') {
    const signed = `${encode(JSON.stringify({ alg }))}.${encode(payload)}`
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
  }

  const claiming = (change: JWTPayload) => () => tokenAt(now, { claims: change })
  /** Signed by the issuer, with claims that only text can hold. */
  const claimingText = (from: string, to: string) => () =>
    signedTexts('{"alg":"ES256"}', payload.replace(from, to))
  /** The attacker's own key, and a header that says where to find it. */
  const bringing = (header: object) => () =>
    signedTexts(JSON.stringify({ alg: 'ES256', ...header }), payload, own.privateKey)

  async function parts() {
    const [header = '', body = '', signature = ''] = (await tokenAt(now)).split('.')
    return { header, body, signature }
  }

  it.each<[string, () => string | Promise<string>]>([
    ['alg none', () => unsigned('none')],
    ['alg None', () => unsigned('None')],
    ['alg NONE', () => unsigned('NONE')],
    ['alg nOnE', () => unsigned('nOnE')],
    ['alg none with a space', () => unsigned('none ')],
    ['alg none without a signature', () => unsigned('none', '')],
    ['alg empty', () => unsigned('')],
    ['alg ES256 without a signature', () => unsigned('ES256', '')],
    ['no alg', () => `${encode('{}')}.${encode(payload)}.AAAA`],
    [
      'HS256 over the public key as PEM',
      () => hmacOver(keys.publicKey.export({ type: 'spki', format: 'pem' })),
    ],
    [
      'HS256 over the public key as DER',
      () => hmacOver(keys.publicKey.export({ type: 'spki', format: 'der' })),
    ],
    ['HS256 over the public key as JWK', () => hmacOver(JSON.stringify(publicJwk))],
    ['HS256 over nothing', () => hmacOver('')],
    ['alg ES256 with an HMAC over the public key', () => hmacOver(JSON.stringify(publicJwk), 'ES256')],
    ['RS256', () => tokenAt(now, { algorithm: 'RS256', key: rsa.privateKey })],
    ['PS256', () => tokenAt(now, { algorithm: 'PS256', key: rsa.privateKey })],
    ['ES384', () => tokenAt(now, { algorithm: 'ES384', key: wide.privateKey })],
    ['EdDSA', () => tokenAt(now, { algorithm: 'EdDSA', key: generateKeyPairSync('ed25519').privateKey })],
    ['the signature of another token', bringing({})],
    ['a key of its own in the header (jwk)', bringing({ jwk: ownJwk })],
    ['the address of a key set (jku)', bringing({ jku: 'https://evil.example/keys.json' })],
    ['the address of a certificate (x5u)', bringing({ x5u: 'https://evil.example/cert.pem' })],
    ['the id of a key that is a path (kid)', bringing({ kid: '../../../../dev/null' })],
    [
      'an extension called critical (crit)',
      () => signedTexts('{"alg":"ES256","crit":["b64"],"b64":false}', payload),
    ],
    ['no end (exp)', claiming({ exp: undefined })],
    ['an end in the past', claiming({ exp: seconds - 5 })],
    ['an end in a text', claimingText(`"exp":${claims.exp}`, `"exp":"${claims.exp}"`)],
    ['an end that is NaN', claimingText(`"exp":${claims.exp}`, '"exp":NaN')],
    ['an end that is infinite', claimingText(`"exp":${claims.exp}`, '"exp":1e999')],
    ['an end that is null', claimingText(`"exp":${claims.exp}`, '"exp":null')],
    ['a time of issue far in the future (iat)', claiming({ iat: seconds + 1_000_000 })],
    ['a beginning in the future (nbf)', claiming({ nbf: seconds + 60 })],
    ['a beginning in a text', claimingText('"sub"', '"nbf":"0","sub"')],
    ['another issuer', claiming({ iss: 'https://evil.example' })],
    ['no issuer', claiming({ iss: undefined })],
    ['another audience', claiming({ aud: 'other-shop' })],
    ['no audience', claiming({ aud: undefined })],
    ['no subject (sub)', claiming({ sub: undefined })],
    ['claims that are null', () => signedTexts('{"alg":"ES256"}', 'null')],
    ['unsigned claims that are null', () => `${encode('{"alg":"ES256"}')}.${encode('null')}.AAAA`],
    ['claims on a prototype', claimingText('{"sub"', '{"__proto__":{"sub":"mallory"},"not-sub"')],
    [
      'other claims under a good signature',
      async () => {
        const { header, signature } = await parts()
        return `${header}.${encode(payload.replace('"ann"', '"mallory"'))}.${signature}`
      },
    ],
    [
      'the signature stripped',
      async () => {
        const { header, body } = await parts()
        return `${header}.${body}.`
      },
    ],
    [
      'the signature cut short',
      async () => {
        const { header, body, signature } = await parts()
        return `${header}.${body}.${signature.slice(0, 43)}`
      },
    ],
    [
      'a signature of zeros, which a careless verifier takes for any',
      async () => {
        const { header, body } = await parts()
        return `${header}.${body}.${Buffer.alloc(64).toString('base64url')}`
      },
    ],
    ['5 kB', claiming({ x: 'x'.repeat(5000) })],
  ])('is refused with %s', async (_what, token) => {
    await expectRefused(buyEvent(now, { token: await token() }), 401, 'sign-in-required')
  })

  it('is the only difference to the same request with an honest token', async () => {
    for (const token of [await tokenAt(now), signedTexts('{"alg":"ES256"}', payload)]) {
      forwardedOf(await openGate().handler(await buyEvent(now, { token })))
    }
  })

  it.each<[string, (good: string) => Record<string, string | string[]>]>([
    ['two Authorization headers', (good) => ({ authorization: [`Bearer ${good}`, `Bearer ${good}`] })],
    ['two tokens in one header', (good) => ({ authorization: `Bearer ${good}, Bearer ${good}` })],
    ['two session cookies', (good) => ({ cookie: `sluice_session=${good}; sluice_session=${good}` })],
    [
      'two session cookies in two headers',
      (good) => ({ cookie: [`sluice_session=${good}`, `sluice_session=${good}`] }),
    ],
    [
      'a bad Authorization header before a good cookie',
      (good) => ({ authorization: 'Bearer a.b', cookie: `sluice_session=${good}` }),
    ],
    ['a token in the query only', () => ({})],
  ])('is refused behind %s: it is ambiguous which one counts', async (_what, headersFor) => {
    const token = await tokenAt(now)
    const headers = { 'content-type': 'application/json', origin: shopOrigin, ...headersFor(token) }
    const ask = { method: 'POST', uri: `/api/sales/${saleId}/orders`, querystring: `token=${token}` }
    const body = JSON.stringify({ quantity: 1, startToken })
    await expectRefused(eventOf({ ...ask, headers, body }), 401, 'sign-in-required')
  })
})

describe('a forged request (L6, C6)', () => {
  const purchase = JSON.stringify({ quantity: 1, startToken })
  const longBody = purchase.replace('}', `,"note":"${'x'.repeat(2048)}"}`)

  it.each<[string, EventParts, number, ProblemCode]>([
    ['a body over 2 kB', { body: longBody }, 413, 'too-large'],
    ['a body over 2 kB of spaces', { body: purchase + ' '.repeat(2048) }, 413, 'too-large'],
    [
      'a chunked body longer than its content-length',
      { body: longBody, headers: { 'content-length': '60', 'transfer-encoding': 'chunked' } },
      413,
      'too-large',
    ],
    ['two lengths', { body: longBody, headers: { 'content-length': ['60', '2200'] } }, 413, 'too-large'],
    ['a body that CloudFront cut short', { truncated: true }, 413, 'too-large'],
    [
      'two content types',
      { headers: { 'content-type': ['application/json', 'application/json'] } },
      415,
      'unsupported-media-type',
    ],
    [
      'two content types in one',
      { headers: { 'content-type': 'application/json, text/plain' } },
      415,
      'unsupported-media-type',
    ],
    [
      'the content type of a form',
      { headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported-media-type',
    ],
    ['a page of another site', { headers: { origin: 'https://evil.example' } }, 403, 'origin-not-allowed'],
    ['two origins', { headers: { origin: [shopOrigin, shopOrigin] } }, 403, 'origin-not-allowed'],
    ['an origin that is null', { headers: { origin: 'null' } }, 403, 'origin-not-allowed'],
    ['two idempotency keys', { headers: { 'idempotency-key': ['a', 'b'] } }, 400, 'invalid-request'],
    ['a field of its own', { body: purchase.replace('}', ',"price":1}') }, 400, 'invalid-request'],
    ['a prototype', { body: purchase.replace('}', ',"__proto__":{"quantity":9}}') }, 400, 'invalid-request'],
    [
      'a start token prepared before the start',
      { body: purchase.replace(startToken, 'x'.repeat(22)) },
      409,
      'stale-page',
    ],
    ['another method', { method: 'PUT' }, 405, 'method-not-allowed'],
  ])('is refused with %s', async (_what, change, status, code) => {
    await expectRefused(buyEvent(now, change), status, code)
  })

  it.each([
    `//api/sales/${saleId}/orders`,
    `/api//sales/${saleId}/orders`,
    `/api/sales/${saleId}//orders`,
    `/api/sales//${saleId}/orders`,
    `/api/sales/${saleId}/orders/`,
    `/api/./sales/${saleId}/orders`,
    `/api/sales/../sales/${saleId}/orders`,
    `/api/sales/${saleId}/../../control/sales`,
    `/api/sales/%2e%2e/control/orders`,
    `/api/sales/${saleId}%2forders`,
    `/api/sales/${saleId}%2Forders`,
    `/api%2fsales/${saleId}/orders`,
    `/api/sales/${saleId}/%6frders`,
    `/api/sales/%70hone-42/orders`,
    `/api/sales/phone%2d42/orders`,
    `/api/sales/${saleId}%00/orders`,
    `/api/sales/${saleId}/orders%00`,
    `/api/sales/${saleId}/orders%20`,
    `/api/sales/${saleId};a=b/orders`,
    `/api/sales/${saleId}/orders;jsessionid=1`,
    `/api/sales/${saleId}/orders?`,
    `/api/sales/${saleId}/orders#`,
    `/api/sales/${saleId}\\orders`,
    `/api\\sales\\${saleId}\\orders`,
    `/API/sales/${saleId}/orders`,
    `/api/Sales/${saleId}/orders`,
    `/api/sales/${saleId}/Orders`,
    `/api/sales/PHONE-42/orders`,
    `/api/sales/phone-４２/orders`,
    `/api/sales/phоne-42/orders`,
    `/api/sales/phone‐42/orders`,
    `/api／sales/${saleId}/orders`,
    `/api/sales/${saleId}/orders\n`,
    `api/sales/${saleId}/orders`,
    `http://evil.example/api/sales/${saleId}/orders`,
    '/api/sales/orders',
    '/api/control/../sales',
    '/api/control//sales',
    '/api/Control/sales',
    '/api/control/%73ales',
  ])('is refused at the path %j', async (uri) => {
    await expectRefused(buyEvent(now, { uri }), 404, 'not-found')
  })
})

describe('a header that only the gate may set', () => {
  it.each(['x-shopper-id', 'x-shopper-level', 'x-shopper-roles', 'x-request-id', 'x-amz-content-sha256'])(
    '%s is set by the gate, and replaces the client’s values, however many',
    async (name) => {
      const { handler } = openGate()
      const honest = forwardedOf(await handler(await buyEvent(now)))
      const headers = { [name]: ['marketer', '987654321'] }
      const request = forwardedOf(await openGate().handler(await buyEvent(now, { headers })))
      expect(sent(request, name)).toHaveLength(1)
      expect(sent(request, name)).toEqual(sent(honest, name))
    },
  )

  it('refuses to start a sale for a shopper who is not a marketer', async () => {
    const headers = { authorization: `Bearer ${await tokenAt(now)}`, 'x-shopper-roles': 'marketer' }
    const event = eventOf({ method: 'POST', uri: `/api/control/sales/${saleId}/start`, headers })
    await expectRefused(event, 403, 'role-required')
  })

  it('is signed over the received bytes, not over the declared length', async () => {
    const body = JSON.stringify({ quantity: 1, startToken })
    const headers = { 'content-length': '1', 'transfer-encoding': 'chunked' }
    const request = forwardedOf(await openGate().handler(await buyEvent(now, { body, headers })))
    const digest = createHash('sha256').update(body).digest('hex')
    expect(sent(request, 'x-amz-content-sha256')).toEqual([digest])
  })
})

describe('a sale that asks for a challenge (R5)', () => {
  const { rules } = ruled({ challenge: 'pow' })
  const otherSale = saleIdOf('phone-43')

  function openGuardedGate() {
    const gate = openGate({ rules })
    gate.store.list(otherSale, { ...openSaleFacts, rules })
    return gate
  }
  type Gate = ReturnType<typeof openGuardedGate>

  /** A challenge fetched and solved as a page does it. */
  async function solvedBy(gate: Gate, sub = 'ann', sale = saleId): Promise<string> {
    const uri = `/api/sales/${sale}/challenge`
    const answer = await gate.handler(await challengeEvent(gate.time.now, { uri, claims: { sub } }))
    if ('uri' in answer || answer.status !== '200') throw new Error(`no challenge: ${JSON.stringify(answer)}`)
    return solve(JSON.parse(answer.body))
  }
  const body = (challenge?: string) => JSON.stringify({ quantity: 1, startToken, challenge })
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

  async function expectFailed(gate: Gate, event: Promise<EdgeEvent>) {
    expect(refusalOf(await gate.handler(await event))).toMatchObject({
      status: 403,
      code: 'challenge-failed',
    })
  }

  it('admits a solved challenge', async () => {
    const gate = openGuardedGate()
    forwardedOf(await gate.handler(await buyEvent(gate.time.now, { body: body(await solvedBy(gate)) })))
  })

  it('asks for a missing challenge', async () => {
    const refusal = refusalOf(await openGuardedGate().handler(await buyEvent(now)))
    expect(refusal).toMatchObject({ status: 403, code: 'challenge-required' })
  })

  it('refuses the challenge of another shopper', async () => {
    const gate = openGuardedGate()
    await expectFailed(gate, buyEvent(gate.time.now, { body: body(await solvedBy(gate, 'bob')) }))
  })

  it('refuses the challenge of another sale', async () => {
    const gate = openGuardedGate()
    const challenge = await solvedBy(gate, 'ann', otherSale)
    await expectFailed(gate, buyEvent(gate.time.now, { body: body(challenge) }))
  })

  it('refuses one that was used for another order', async () => {
    const gate = openGuardedGate()
    const challenge = await solvedBy(gate)
    forwardedOf(await gate.handler(await buyEvent(gate.time.now, { body: body(challenge), ...keyed('k-1') })))
    await expectFailed(gate, buyEvent(gate.time.now, { body: body(challenge), ...keyed('k-2') }))
    await expectFailed(gate, buyEvent(gate.time.now, { body: body(challenge) }))
    forwardedOf(await gate.handler(await buyEvent(gate.time.now, { body: body(challenge), ...keyed('k-1') })))
  })

  it('refuses one that has expired', async () => {
    const gate = openGuardedGate()
    const challenge = await solvedBy(gate)
    gate.time.now += 600_000
    await expectFailed(gate, buyEvent(gate.time.now, { body: body(challenge) }))
  })

  it('refuses one that was not issued here', async () => {
    const gate = openGuardedGate()
    const forged = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: 1,
      deriveKey,
      keyPrefix: '00',
      expiresAt: seconds + 600,
      data: { sale: saleId, shopper: 'ann' },
      hmacSignatureSecret: 'a guess',
    })
    await expectFailed(gate, buyEvent(now, { body: body(await solve(forged)) }))
  })

  it('refuses one that was not solved', async () => {
    const gate = openGuardedGate()
    const solved = JSON.parse(atob(await solvedBy(gate)))
    const claimed = { ...solved, solution: { counter: 0, derivedKey: '00'.repeat(32) } }
    await expectFailed(gate, buyEvent(now, { body: body(btoa(JSON.stringify(claimed))) }))
  })

  it('issues no challenge without a session', async () => {
    const event = eventOf({
      method: 'POST',
      uri: `/api/sales/${saleId}/challenge`,
      headers: { origin: shopOrigin },
    })
    const refusal = refusalOf(await openGuardedGate().handler(event))
    expect(refusal).toMatchObject({ status: 401, code: 'sign-in-required' })
  })
})
