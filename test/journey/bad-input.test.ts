/**
 * Invalid requests are rejected with the right code and the name of the field; nothing is stored
 * and no stock changes. One example of each rule: the unit that decides has them all.
 */
import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { call, click, control, eventually, openSale, type ShopRequest } from './support.ts'
import { visit } from './visit.ts'

const stack = visit('bad-input')
const { saleId, startToken } = await openSale(stack, { limitPerShopper: 5, maxPerOrder: 5 })
const token = await stack.token('ann')
afterAll(async () => {
  // None of these requests may have changed anything.
  const live = await control<object>(stack, `/sales/${saleId}/live`)
  expect(live).toMatchObject({ stock: { total: 10, booked: 0 }, orders: { sold: 0 }, outbox: 0 })
})

const ordersPath = `/api/sales/${saleId}/orders`

describe('an invalid buy request', () => {
  const wanted = (change: object) => ({ body: { quantity: 1, startToken, ...change } })
  const sentWith = (headers: Record<string, string>) => () => ({ ...wanted({}), headers })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const evil = { origin: 'https://evil.example' }

  it.each<[string, number, object, () => ShopRequest]>([
    ['a negative quantity (S2, S5)', 400, { field: 'quantity' }, () => wanted({ quantity: -3 })],
    ['a quantity above what one order may hold', 400, { field: 'quantity' }, () => wanted({ quantity: 6 })],
    ['an unknown field', 400, { field: 'price' }, () => wanted({ price: 0 })],
    ['NaN, which is not JSON', 400, { field: 'body' }, () => ({ body: '{"quantity":NaN}' })],
    ['an empty body', 400, { field: 'body' }, () => ({ body: '' })],
    ['a malformed key', 400, { field: 'Idempotency-Key' }, sentWith({ 'idempotency-key': 'semi;colon' })],
    ['over 2 kB', 413, { code: 'too-large' }, () => wanted({ pad: 'x'.repeat(3000) })],
    ['a form', 415, { code: 'unsupported-media-type' }, sentWith(form)],
    ['the origin of a foreign page', 403, { code: 'origin-not-allowed' }, sentWith(evil)],
  ])('with %s is answered %i', async (_, status, problem, request) => {
    const answer = await click(stack, ordersPath, { token, ...request() })
    expect(answer).toMatchObject({ status, body: problem })
  })

  it('by another method is answered with the allowed one', async () => {
    const answer = await call(stack, ordersPath, { method: 'PUT', token })
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
    const head = `POST ${ordersPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
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
