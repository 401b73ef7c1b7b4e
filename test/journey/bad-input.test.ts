/**
 * Invalid requests are rejected with the right code and the name of the field; nothing is stored
 * and no stock changes.
 */
import { connect } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buy, call, click, control, definition, openSale } from './support.ts'
import { visit } from './visit.ts'

const stack = visit('bad-input')
let saleId: string
let startToken: string
let token: string
beforeAll(async () => {
  const sale = await openSale(stack, { limitPerShopper: 5, maxPerOrder: 5 })
  saleId = sale.saleId
  startToken = sale.startToken
  token = await stack.token('ann')
})
afterAll(async () => {
  // None of these requests may have changed anything.
  const live = await control<object>(stack, `/sales/${saleId}/live`)
  expect(live).toMatchObject({
    stock: { total: 10, booked: 0 },
    orders: { sold: 0 },
    outbox: 0,
  })
})

const ordersPath = () => `/api/sales/${saleId}/orders`

describe('an invalid buy request', () => {
  it.each([
    ['0', 0],
    ['-3 (S2, S5)', -3],
    ['1.5', 1.5],
    ['1e99', 1e99],
    ['"1"', '1'],
    ['null', null],
    ['missing', undefined],
    ['above what one order may hold', 6],
  ])('with quantity %s names quantity', async (_, quantity) => {
    const answer = await click(stack, ordersPath(), { token, body: { quantity, startToken } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field: 'quantity' } })
  })

  it.each([
    ['NaN, which is not JSON', '{"quantity":NaN,"startToken":"x"}', 'body'],
    ['not JSON at all', 'quantity=1', 'body'],
    ['an empty body', '', 'body'],
    ['a list', '[]', 'body'],
    ['null', 'null', 'body'],
  ])('with %s names the body', async (_, body, field) => {
    const answer = await click(stack, ordersPath(), { method: 'POST', token, body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
  })

  it('with an unknown field names it', async () => {
    const answer = await click(stack, ordersPath(), { token, body: { quantity: 1, startToken, price: 0 } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field: 'price' } })
  })

  it.each([['spaces are not allowed'], ['x'.repeat(65)], ['semi;colon']])(
    'with the idempotency key %j names the header',
    async (key) => {
      const answer = await buy(stack, saleId, { token, startToken, key })
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid-request', field: 'Idempotency-Key' },
      })
    },
  )

  it('over 2 kB is too large', async () => {
    const answer = await click(stack, ordersPath(), {
      token,
      body: { quantity: 1, startToken, pad: 'x'.repeat(3000) },
    })
    expect(answer).toMatchObject({ status: 413, body: { code: 'too-large' } })
  })

  it.each([
    ['form', 'application/x-www-form-urlencoded'],
    ['text', 'text/plain'],
    ['almost JSON', 'application/jsonp'],
  ])('as %s is an unsupported media type', async (_, contentType) => {
    const answer = await click(stack, ordersPath(), {
      token,
      body: JSON.stringify({ quantity: 1, startToken }),
      headers: { 'content-type': contentType },
    })
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported-media-type' } })
  })

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('by %s is answered with the allowed method', async (method) => {
    const answer = await call(stack, ordersPath(), { method, token })
    expect(answer).toMatchObject({ status: 405, body: { code: 'method-not-allowed' } })
    expect(answer.headers.get('allow')).toContain('POST')
  })

  it('from a foreign page is refused', async () => {
    const answer = await click(stack, ordersPath(), {
      token,
      body: { quantity: 1, startToken },
      headers: { origin: 'https://evil.example' },
    })
    expect(answer).toMatchObject({ status: 403, body: { code: 'origin-not-allowed' } })
  })

  it.each(['no-such-sale', 'another-one'])('of the sale %s is unknown', async (id) => {
    const answer = await buy(stack, id, { token, startToken })
    expect(answer).toMatchObject({ status: 404, body: { code: 'unknown-sale' } })
  })

  it.each(['UPPER', 'a', '%7Bmug%7D', 'a%20b', '..%2f..', 'x'.repeat(41)])(
    'of the malformed sale id %s is not found',
    async (id) => {
      const answer = await buy(stack, id, { token, startToken })
      expect(answer.status).toBe(404)
    },
  )
})

describe('an invalid token', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const tampered = () => {
    const [head, , signature] = token.split('.')
    const body = Buffer.from(JSON.stringify({ sub: 'mallory', exp: now() + 600 })).toString('base64url')
    return `${head}.${body}.${signature}`
  }
  const unsigned = () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${part({ alg: 'none' })}.${part({ sub: 'mallory', exp: now() + 600 })}.`
  }
  const otherSigner = async (alg: 'ES256' | 'EdDSA') => {
    const { privateKey } = await generateKeyPair(alg)
    return new SignJWT({})
      .setProtectedHeader({ alg })
      .setSubject('mallory')
      .setExpirationTime('10m')
      .sign(privateKey)
  }
  const symmetric = async () => {
    // Algorithm confusion: the public key used as an HMAC secret.
    const { publicKey } = await generateKeyPair('ES256', { extractable: true })
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(publicKey)))
    return new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('mallory')
      .setExpirationTime('10m')
      .sign(secret)
  }

  it.each<[string, () => string | Promise<string>]>([
    ['no token', () => ''],
    ['not a token', () => 'abc'],
    ['a tampered token', tampered],
    ['an unsigned token', unsigned],
    ['another signer’s token', () => otherSigner('ES256')],
    ['another algorithm', () => otherSigner('EdDSA')],
    ['an HMAC token', symmetric],
  ])('%s has to sign in', async (_, make) => {
    const answer = await call(stack, ordersPath(), {
      body: { quantity: 1, startToken },
      headers: { authorization: `Bearer ${await make()}` },
    })
    expect(answer).toMatchObject({ status: 401, body: { code: 'sign-in-required' } })
  })

  it('takes no identity from a client’s header', async () => {
    const answer = await call(stack, '/api/orders', { headers: { 'x-shopper-id': 'ann' } })
    expect(answer.status).toBe(401)
  })

  it('keeps a shopper out of the console’s API', async () => {
    const answer = await call(stack, '/api/control/sales', { token })
    expect(answer).toMatchObject({ status: 403, body: { code: 'role-required' } })
  })
})

describe('an invalid sale', () => {
  it.each([
    ['endsAt', { startsAt: 2000, endsAt: 1000 }],
    ['price', { price: -1 }],
    ['stock', { stock: -2 }],
    ['stock', { stock: 1.5 }],
    ['currency', { currency: 'XXZ' }],
    ['saleId', { saleId: 'Not An Id' }],
    ['kind', { kind: 'raffle' }],
    ['title', { title: '' }],
    ['pictures.0.src', { pictures: [{ src: 'javascript:alert(1)', alt: 'The product' }] }],
    ['maxPerOrder', { maxPerOrder: 2 }],
    ['color', { color: 'red' }],
  ])('names %s for %j and stores nothing', async (field, change) => {
    const marketer = await stack.token('marketer', { roles: ['marketer'] })
    const sale = definition(change)
    const answer = await call(stack, '/api/control/sales', { token: marketer, body: sale })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    const listed = await control<{ sales: { saleId: string }[] }>(stack, '/sales')
    expect(listed.sales.map((s) => s.saleId)).not.toContain(sale.saleId)
  })

  it.each([0, 1.5, '5', null, 1e99])('stock change %j names delta', async (delta) => {
    const marketer = await stack.token('marketer', { roles: ['marketer'] })
    const answer = await call(stack, `/api/control/sales/${saleId}/stock`, {
      token: marketer,
      body: { delta },
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field: 'delta' } })
  })
})

describe('a malformed HTTP request', () => {
  const raw = (bytes: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(stack.url).port), '127.0.0.1', () => socket.end(bytes))
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })

  it('with a false length neither buys nor breaks the server', async () => {
    const body = JSON.stringify({ quantity: 1, startToken })
    const head = `POST ${ordersPath()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
    const answer = await raw(`${head}Content-Length: 5\r\nConnection: close\r\n\r\n${body}`)
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/)
    expect((await call(stack, '/api/time')).status).toBe(200)
  })

  it.each([
    '/api//sales/x/orders',
    '/api/sales/%2e%2e/orders',
    '/API/sales/x/orders',
    '/api/sales/x/orders/..',
  ])('on the malformed path %s is not forwarded', async (path) => {
    const answer = await raw(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 (403|404|405)/)
  })
})
