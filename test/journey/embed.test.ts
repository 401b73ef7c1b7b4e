/** A page of another site through the whole system: what it may call and read, and examples/plain. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../local/ports.ts'
import { sharedShop } from './shared-shop.ts'
import { call, control, eventually, openSale, pointerOf, untilAnswered, writtenOrder } from './support.ts'

const stack = sharedShop('embed')
const program = join(import.meta.dirname, '../../examples/plain/my-shop.mjs')
const host = 'https://host.example'

let open: { saleId: string; startToken: string }
beforeAll(async () => {
  open = await openSale(stack, { allowedOrigins: [host], limitPerShopper: 5, stock: 20 })
})

const corsOf = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control'))

describe('what pages of other sites may read', () => {
  it('is the same for every origin, so that no cache needs to know it, and has no credentials', async () => {
    const { version } = await pointerOf(stack, open.saleId)
    const token = await stack.token('reader')
    const readable: [string, Record<string, string>][] = [
      [`/sales/${open.saleId}/current.json`, {}],
      [`/sales/${open.saleId}/countdown.${version}.json`, {}],
      ['/elements.js', {}],
      ['/api/orders', { authorization: `Bearer ${token}` }],
      ['/api/pass', { authorization: `Bearer ${token}` }],
      ['/api/orders', {}],
    ]
    for (const [path, headers] of readable) {
      const from = async (origin: string) =>
        (await fetch(stack.url + path, { headers: { ...headers, origin } })).headers
      const answers = [await from(host), await from('https://evil.example'), await from('null')]
      for (const answer of answers) {
        expect(answer.get('access-control-allow-origin'), path).toBe('*')
        expect(answer.get('access-control-expose-headers'), path).toContain('x-sluice-now')
        expect(answer.get('access-control-allow-credentials'), path).toBeNull()
        expect(answer.get('vary') ?? '', path).not.toMatch(/origin/i)
      }
      const own = await fetch(stack.url + path, { headers })
      const resource = path.startsWith('/api/') ? null : 'cross-origin'
      expect(own.headers.get('cross-origin-resource-policy'), path).toBe(resource)
      expect(corsOf(own.headers), `${path} without an origin`).toEqual([])
    }
  })

  it('is nothing else: no page, no sign-in, no control, no address, no webhook', async () => {
    const { src } = await pointerOf(stack, open.saleId)
    const paths = ['/', `/sales/${open.saleId}/`, src, '/openapi.json', '/console/', '/orders/', '/assets/plain.css']
    const calls = ['/api/control/sales', '/api/sign-in', '/api/contact']
    for (const path of [...paths, ...calls]) {
      const answer = await fetch(stack.url + path, { headers: { origin: host }, redirect: 'manual' })
      expect(corsOf(answer.headers), path).toEqual([])
      expect(answer.headers.get('cross-origin-resource-policy'), path).toBeNull()
    }
    for (const path of [...calls, '/api/unsubscribe', '/api/payments/webhook']) {
      const headers = { origin: host, 'access-control-request-method': 'POST' }
      const answer = await fetch(stack.url + path, { method: 'OPTIONS', headers })
      expect(answer.status, path).toBe(405)
      expect(corsOf(answer.headers), path).toEqual([])
    }
  })

  it('is sold to them only where the sale names them, at once after a change, and never for a cookie', async () => {
    const { saleId, startToken } = open
    const path = `/api/sales/${saleId}/orders`
    const token = await stack.token('ann')
    const { pass } = (await untilAnswered(() => call<{ pass: string }>(stack, '/api/pass', { token }))).body
    const buy = (origin: string, session: Record<string, string> = { authorization: `Bearer ${token}` }) => {
      const headers = { ...session, origin, 'x-sluice-pass': String(pass), 'idempotency-key': randomUUID() }
      const request = { body: { quantity: 1, startToken }, headers }
      return untilAnswered(() => call<{ orderId: string }>(stack, path, request))
    }
    const refused = { status: 403, body: { code: 'origin-not-allowed' } }
    const won = await buy(host)
    expect(won.status).toBeLessThan(300)
    expect(won.headers.get('access-control-allow-origin')).toBe('*')
    expect(await buy('https://evil.example')).toMatchObject(refused)
    expect(await buy(host, { cookie: `sluice_session=${token}` })).toMatchObject(refused)
    const read = { headers: { cookie: `sluice_session=${token}`, origin: host } }
    expect(await untilAnswered(() => call(stack, '/api/orders', read))).toMatchObject(refused)

    const orderId = String(won.body.orderId)
    await writtenOrder(stack, orderId, token)
    const pay = (origin: string) => {
      const request = { token, body: {}, headers: { origin } }
      return untilAnswered(() => call<{ url: string }>(stack, `/api/orders/${orderId}/pay`, request))
    }
    expect(await pay('https://evil.example')).toMatchObject(refused)
    expect(await pay(host)).toMatchObject({ status: 200, body: { url: expect.any(String) } })

    await control(stack, `/sales/${saleId}`, { allowedOrigins: [] }, 'PATCH')
    await eventually(async () => ((await pay(host)).status === 403 ? true : undefined))
    expect((await pointerOf(stack, saleId)).saleId).toBe(saleId)
  })
})

describe('the shop of examples/plain', () => {
  let shop: ChildProcess | undefined
  afterAll(async () => {
    shop?.kill()
    await control(stack, '/customer-issuers/my-shop', undefined, 'DELETE')
  })

  it('is a site of at most 40 lines that sells a unit to its customer', async () => {
    const code = await readFile(program, 'utf8')
    expect(code.split('\n').length - 1).toBeLessThanOrEqual(40)
    const port = await freePort()
    const origin = `http://localhost:${port}`
    shop = spawn(process.execPath, [program], {
      env: { SLUICE_URL: stack.url, SALE: 'mug', PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((listening) => shop?.stdout?.once('data', listening))
    const jwks = await (await fetch(`${origin}/jwks.json`)).json()
    await control(stack, '/customer-issuers/my-shop', { issuer: origin, jwks }, 'PUT')
    const page = await (await fetch(origin)).text()
    expect(page).toContain(`<script async crossorigin src="${stack.url}/elements.js"></script>`)
    expect(page).toContain('<sluice-sale sale="mug" token-from="/sale-token">')
    const token = await (await fetch(`${origin}/sale-token`)).text()
    await eventually(async () => {
      const { status } = await call(stack, '/api/orders', { token, headers: { origin } })
      return status === 200 ? true : undefined
    })
    const { saleId, startToken } = await openSale(stack, { allowedOrigins: [origin] })
    const ask = <T>(path: string, body?: object, headers?: Record<string, string>) =>
      untilAnswered(() => call<T>(stack, path, { token, body, headers: { origin, ...headers } }))
    const { pass } = (await ask<{ pass: string }>('/api/pass')).body
    const won = await ask<{ orderId: string }>(
      `/api/sales/${saleId}/orders`,
      { quantity: 1, startToken },
      { 'x-sluice-pass': String(pass), 'idempotency-key': 'from-my-shop' },
    )
    expect(won.status).toBeLessThan(300)
    expect(await writtenOrder(stack, String(won.body.orderId), token)).toMatchObject({ saleId })
  })
})
