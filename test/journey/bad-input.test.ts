/**
 * Invalid requests are rejected with the right code and the name of the field; nothing is stored
 * and no stock changes. One example of each rule: the unit that decides has them all.
 */
import { connect } from 'node:net'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, click, control, definition, eventually, openSale, type ShopRequest } from './support.ts'
import { visit } from './visit.ts'

const stack = visit('bad-input')
let saleId: string
let startToken: string
let token: string
let marketer: string
beforeAll(async () => {
  const sale = await openSale(stack, { limitPerShopper: 5, maxPerOrder: 5 })
  saleId = sale.saleId
  startToken = sale.startToken
  token = await stack.token('ann')
  marketer = await stack.token('marketer', { roles: ['marketer'] })
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
  const wanted = (change: object) => ({ body: { quantity: 1, startToken, ...change } })

  it.each<[string, number, object, () => ShopRequest]>([
    ['a negative quantity (S2, S5)', 400, { field: 'quantity' }, () => wanted({ quantity: -3 })],
    ['a quantity above what one order may hold', 400, { field: 'quantity' }, () => wanted({ quantity: 6 })],
    ['an unknown field', 400, { field: 'price' }, () => wanted({ price: 0 })],
    ['NaN, which is not JSON', 400, { field: 'body' }, () => ({ body: '{"quantity":NaN}' })],
    ['an empty body', 400, { field: 'body' }, () => ({ body: '' })],
    [
      'a malformed idempotency key',
      400,
      { field: 'Idempotency-Key' },
      () => ({ ...wanted({}), headers: { 'idempotency-key': 'semi;colon' } }),
    ],
    ['over 2 kB', 413, { code: 'too-large' }, () => wanted({ pad: 'x'.repeat(3000) })],
    [
      'a form',
      415,
      { code: 'unsupported-media-type' },
      () => ({ ...wanted({}), headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    ],
    [
      'the origin of a foreign page',
      403,
      { code: 'origin-not-allowed' },
      () => ({ ...wanted({}), headers: { origin: 'https://evil.example' } }),
    ],
  ])('with %s is answered %i', async (_, status, problem, request) => {
    const answer = await click(stack, ordersPath(), { token, ...request() })
    expect(answer).toMatchObject({ status, body: problem })
  })

  it('by another method is answered with the allowed one', async () => {
    const answer = await call(stack, ordersPath(), { method: 'PUT', token })
    expect(answer).toMatchObject({ status: 405, body: { code: 'method-not-allowed' } })
    expect(answer.headers.get('allow')).toContain('POST')
  })

  it.each([
    ['no-such-sale', 'unknown-sale'],
    ['a%20b', 'not-found'],
  ])('of the sale %s is answered 404', async (id, code) => {
    // Without a list of sales that it could read in time, the gate cannot say that there is none (B3).
    const answer = await eventually(async () => {
      const given = await click(stack, `/api/sales/${id}/orders`, { token, ...wanted({}) })
      return given.status === 503 ? undefined : given
    })
    expect(answer).toMatchObject({ status: 404, body: { code } })
  })
})

describe('an invalid token', () => {
  const tampered = () => {
    const [head, , signature] = token.split('.')
    const exp = Math.floor(Date.now() / 1000) + 600
    return `${head}.${Buffer.from(JSON.stringify({ sub: 'mallory', exp })).toString('base64url')}.${signature}`
  }
  const otherSigner = async () => {
    const { privateKey } = await generateKeyPair('ES256')
    return new SignJWT({})
      .setProtectedHeader({ alg: 'ES256' })
      .setSubject('mallory')
      .setExpirationTime('10m')
      .sign(privateKey)
  }

  it.each<[string, () => string | Promise<string>]>([
    ['no token', () => ''],
    ['a tampered token', tampered],
    ['another signer’s token', otherSigner],
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
  it('names the field and stores nothing', async () => {
    const sale = definition({ stock: -2 })
    const answer = await call(stack, '/api/control/sales', { token: marketer, body: sale })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field: 'stock' } })
    const listed = await control<{ sales: { saleId: string }[] }>(stack, '/sales')
    expect(listed.sales.map((s) => s.saleId)).not.toContain(sale.saleId)
  })

  it('is not made by a change of its stock', async () => {
    const path = `/api/control/sales/${saleId}/stock`
    const answer = await call(stack, path, { token: marketer, body: { delta: 1.5 } })
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

  it.each(['/api//sales/x/orders', '/api/sales/%2e%2e/orders', '/API/sales/x/orders', '/api/sales/x/orders/..'])(
    'on the malformed path %s is not forwarded',
    async (path) => {
      const answer = await raw(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 (403|404|405)/)
    },
  )
})
