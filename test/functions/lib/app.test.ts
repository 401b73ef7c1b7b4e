/** How operations are served: exact paths, parameters as they came, and every fault as a problem. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { saleParams } from '../../../core/api/operation-parts.ts'
import { whole } from '../../../core/lib/parse.ts'
import { composeApps, createApp, forShoppers, on } from '../../../functions/lib/http/app.ts'
import { answerTo, forwardedRequest } from '../../../proof/simulation/parts/requests.ts'

const open = { path: '/shop/:saleId/door', params: saleParams, answer: z.unknown() } as const
const raw = { method: 'GET', path: '/raw/:part', params: z.object({ part: z.string() }), answer: z.string() } as const
const body = { maxBytes: 20, schema: z.strictObject({ n: whole(1, 9) }, 'must be an object') }

const app = createApp({ greeting: 'hello' }, [
  on({ ...open, method: 'GET' }, async ({ greeting }: { greeting: string }, { params }) => [greeting, params.saleId]),
  on({ ...open, method: 'PUT', body }, async (_: unknown, call) => call.body),
  on({ ...open, method: 'POST', body: { ...body, optional: true } }, async (_: unknown, call) => call.body),
  on(raw, async (_: unknown, { params }) => params.part),
])

const ask = async (method: string, path: string, sent?: unknown, headers?: Record<string, string>) => {
  const answer = await answerTo(app, forwardedRequest('ann', method, path, sent, headers))
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) }
}

const door = '/shop/sale-1/door'

describe('an operation', () => {
  it('is answered with what its handler returns', async () => {
    expect(await ask('GET', door)).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store', 'content-type': 'application/json' },
      body: ['hello', 'sale-1'],
    })
  })

  it.each([
    ...[`${door}/`, '/shop//door', '/shop/sale-1//door', '/SHOP/sale-1/door', '/shop/sale-1/d%6For'],
    ...['/shop/sale%2F1/x/door', '/raw', '/raw/', '/raw/a/b'],
  ])('has its own path and no other: %s', async (path) => {
    expect(await ask('GET', path)).toMatchObject({ status: 404, body: { code: 'not-found' } })
  })

  it.each(['a%2Fb', '%61', 'a%25b', 'a%zz', 'a+b'])('gets a part of its path as it came: %s', async (part) => {
    expect((await ask('GET', `/raw/${part}`)).body).toBe(part)
  })

  it.each(['DELETE', 'HEAD', 'get', 'TRACE'])(
    'is not called by %s: 405 names the methods of the path',
    async (method) => {
      expect(await ask(method, door)).toMatchObject({
        status: 405,
        headers: { allow: 'GET, PUT, POST' },
        body: { code: 'method-not-allowed' },
      })
    },
  )

  it('gets no request that does not fit it', async () => {
    const json = { 'content-type': 'application/json' }
    expect(await ask('GET', '/shop/SALE/door')).toMatchObject({ status: 400, body: { field: 'saleId' } })
    expect(await ask('PUT', door, { n: 0 })).toMatchObject({ status: 400, body: { field: 'n' } })
    expect(await ask('PUT', door, { n: 1, more: 2 })).toMatchObject({ status: 400, body: { field: 'more' } })
    expect(await ask('PUT', door, '{')).toMatchObject({ status: 400, body: { field: 'body' } })
    expect(await ask('PUT', door, Buffer.from('{"n":1}é', 'latin1'))).toMatchObject({ body: { field: 'body' } })
    expect(await ask('PUT', door, '\uFEFF\uFEFF{"n":1}')).toMatchObject({ status: 400, body: { field: 'body' } })
    const utf16 = { 'content-type': 'application/json; charset=utf-16' }
    expect(await ask('PUT', door, '{"n":1}', utf16)).toMatchObject({ status: 415 })
    expect(await ask('PUT', door, { n: 1 }, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
    expect(await ask('PUT', door)).toMatchObject({ status: 400, body: { field: 'body' } })
    expect(await ask('PUT', door, `{"n": 1${' '.repeat(20)}}`)).toMatchObject({ status: 413 })
    for (const sent of ['{"n":1}', '\uFEFF{"n":1}'])
      expect(await ask('PUT', door, sent, json)).toMatchObject({ status: 200, body: { n: 1 } })
  })

  it('may be called without a body where it is optional, which is then an empty object', async () => {
    expect(await ask('POST', door)).toMatchObject({ status: 400, body: { field: 'n' } })
  })

  it('is answered with 401 on every path for a caller whom the gate has not named', async () => {
    const named = createApp({}, [], forShoppers)
    for (const path of ['/', door])
      expect((await answerTo(named, forwardedRequest(undefined, 'GET', path))).statusCode).toBe(401)
  })
})

describe('an app of several', () => {
  const fails = createApp({}, [
    on({ ...raw, path: '/raw/:part/fail' }, async () => {
      throw new Error('broken')
    }),
  ])
  const several = composeApps({ '/raw/x': fails, '/': app })
  const get = (path: string) => answerTo(several, forwardedRequest('ann', 'GET', path))

  it('answers by the app of the path, and 404 where that has none', async () => {
    expect((await get(door)).statusCode).toBe(200)
    expect((await get('/raw/y')).statusCode).toBe(200)
    expect((await get('/raw/x')).statusCode).toBe(404)
    expect((await get('/nothing')).statusCode).toBe(404)
  })

  it('throws what a handler throws', async () => {
    await expect(get('/raw/x/fail')).rejects.toThrow('broken')
  })
})
