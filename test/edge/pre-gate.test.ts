/** The CloudFront Function before the gate, as the build generates it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import {
  maxChallengeBytes,
  maxClickBytes,
  maxControlBodyBytes,
  maxDeliveryBytes,
  maxOrderRequestBytes,
  maxUnsubscribeBytes,
  maxWebhookBytes,
} from '../../core/body-limits.ts'
import { passHeader } from '../../core/gate/pass.ts'
import { idShapes } from '../../core/ids.ts'
import { type ProblemCode, problem } from '../../core/outcome.ts'
import { type RouteKind, routes as table } from '../../edge/routes.ts'
import { functionAnswer } from '../../local/cdn/cloudfront-functions.ts'
import { emptyLocation } from '../local/key-values.ts'
import { anyPath, anyText } from './any-text.ts'
import { type Ask, openPreGate } from './pre-gate-visits.ts'
import { eventOf, openGate, orderId, refusalOf, saleId } from './support.ts'

const { visit, refusal } = await openPreGate(emptyLocation())

const bearer = { authorization: 'Bearer a.b.c' }
const json = { 'content-type': 'application/json' }

/** An address of each kind, and the limit of its body; those of `of-sale` are the routes of options. */
const kinds: Record<Exclude<RouteKind, 'redeem' | 'customer' | 'of-sale'>, { uri: string; maxBytes: number }> = {
  buy: { uri: `/api/sales/${saleId}/orders`, maxBytes: maxClickBytes },
  claim: { uri: `/api/sales/${saleId}/packets`, maxBytes: maxClickBytes },
  challenge: { uri: `/api/sales/${saleId}/challenge`, maxBytes: maxChallengeBytes },
  pass: { uri: '/api/pass', maxBytes: 0 },
  orders: { uri: `/api/orders/${orderId}`, maxBytes: 0 },
  'order-change': { uri: `/api/orders/${orderId}/pay`, maxBytes: maxOrderRequestBytes },
  delivery: { uri: `/api/orders/${orderId}/delivery`, maxBytes: maxDeliveryBytes },
  'sign-in': { uri: '/api/sign-in/callback', maxBytes: 0 },
  session: { uri: '/api/sign-in/end', maxBytes: maxOrderRequestBytes },
  unsubscribe: { uri: '/api/unsubscribe', maxBytes: maxUnsubscribeBytes },
  webhook: { uri: '/api/payments/webhook', maxBytes: maxWebhookBytes },
  control: { uri: '/api/control/sales', maxBytes: maxControlBodyBytes },
}
const ofSale = table['of-sale'].paths.map((path) => path.replace(/:saleId\{.*\}/, saleId))
const routes = [
  ...Object.entries(kinds),
  ...ofSale.map((uri) => ['of-sale', { uri, maxBytes: maxDeliveryBytes }] as const),
].map(([kind, route]) => {
  const { needsSession } = table[kind as RouteKind]
  const methods: readonly string[] = table[kind as RouteKind].methods
  return { ...route, kind, needsSession, methods, method: methods.at(-1) ?? '' }
})

describe('an address (L6)', () => {
  const part = fc.constantFrom(
    ...'api sales orders control challenge payments webhook time sign-in callback refresh end blocklist ip'.split(' '),
    ...'shopper pay delivery contact cancel refund start ab a- -a'.split(' '),
    ...[saleId, saleId.toUpperCase(), orderId, `${orderId}2`],
    ...['x'.repeat(40), 'x'.repeat(41), 'x'.repeat(67), 'x'.repeat(68), 'x'.repeat(128), 'x'.repeat(129)],
    ...['10.0.0.0', '8', '1234', '2001:db8::', '::ffff:1.2.3.4', 'f'.repeat(45), 'f'.repeat(46)],
    ...['a|b', 'ann@shop.example', 'ann%40shop.example', '+:_', '.hidden', '_x'],
    ...['', '.', '..', '...', '%2e', '%2E%2e', '%2f', 'a;b', 'a b', 'ä', '\n', '\0', '{a}', '%', '%zz'],
  )
  const parts = fc.array(part, { minLength: 1, maxLength: 3 }).map((some) => some.join('/'))
  const folder = fc.constantFrom(
    ...['sales', 'orders', 'payments', 'control', 'control/blocklist', 'control/blocklist/ip'],
    ...['control/blocklist/shopper', 'control/sales', 'time', ''],
  )
  const end = fc.constantFrom('', '/', '/orders', '/challenge', '/pay', '/cancel', '/delivery', '\n')
  const path = fc.oneof(
    fc.tuple(folder, parts, end).map(([first, middle, last]) => `/api/${first}/${middle}${last}`),
    fc.tuple(folder, fc.string()).map(([first, rest]) => `/api/${first}/${rest}`),
    fc
      .tuple(fc.constantFrom(...routes.map(({ uri }) => uri)), part, fc.nat(70))
      .map(([uri, piece, at]) => uri.slice(0, at) + piece + uri.slice(at)),
    anyText.map((text) => `/api/${text}`),
    anyPath,
  )

  it('is refused when the gate does not find it, and only then', () => {
    const { handler } = openGate()
    return fc.assert(
      fc.asyncProperty(path, async (uri) => {
        const code = (await refusal({ uri, headers: bearer }))?.code
        // No route has this method, so the gate answers by the path alone.
        const { status } = refusalOf(await handler(eventOf({ method: 'TRACE', uri })))
        expect(code === 'not-found').toBe(status === 404 && uri !== '/api/time')
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    'api/pass',
    `/api/orders/:orderId{${idShapes.order}}`,
    `/api/sales/:saleId{${idShapes.sale}}#orders/orders`,
    '/api/control/:call',
    '/api/control/*',
  ])('is not found by the text of a route: %s', async (uri) => {
    const { handler } = openGate()
    expect(refusalOf(await handler(eventOf({ method: 'GET', uri }))).status).toBe(404)
  })
})

describe('a request of an honest page (L6)', () => {
  it.each(routes)('passes: $kind', async ({ uri, methods, maxBytes }) => {
    for (const method of methods) {
      expect(await refusal({ method, uri, headers: bearer })).toBeUndefined()
      expect(await refusal({ method, uri, headers: { ...bearer, 'content-length': '0' } })).toBeUndefined()
      if (maxBytes === 0) continue
      const headers = { ...bearer, ...json, 'content-length': String(maxBytes) }
      expect(await refusal({ method, uri, headers })).toBeUndefined()
    }
  })

  it('passes with the session in a cookie', async () => {
    for (const { method, uri } of routes) {
      expect(await refusal({ method, uri, headers: { cookie: 'sluice_session=a.b.c' } })).toBeUndefined()
    }
  })

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
    'may declare JSON as %s',
    async (type) => {
      const headers = { ...bearer, 'content-type': type, 'content-length': '2' }
      expect(await refusal({ method: 'POST', uri: kinds.buy.uri, headers })).toBeUndefined()
    },
  )
})

describe('a refusal (L6)', () => {
  const { handler } = openGate()
  /** The gate's own answer to the request. */
  const gateSays = async ({ method = 'GET', uri, headers = {}, body = '' }: Ask & { body?: string }) =>
    refusalOf(await handler(eventOf({ method, uri, headers, body })))

  it.each(routes)('of another method names the allowed ones: $kind', async ({ uri, methods }) => {
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'post', 'constructor']
    for (const method of others.filter((one) => !methods.includes(one))) {
      const said = await refusal({ method, uri, headers: bearer })
      expect(said?.headers.allow).toBe(methods.join(', '))
      expect(said).toEqual(await gateSays({ method, uri, headers: bearer }))
    }
  })

  it.each(routes)('of a body over the limit depends on its length alone: $kind', async (route) => {
    const { uri, method, maxBytes } = route
    const headers = { ...bearer, ...json, 'content-length': String(maxBytes + 1) }
    const said = await refusal({ method, uri, headers })
    expect(said?.status).toBe(413)
    expect(said).toEqual(await gateSays({ method, uri, headers, body: ' '.repeat(maxBytes + 1) }))
  })

  it.each<[string, Record<string, string | string[]>]>([
    ['no type', {}],
    ['the type of a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['almost the type', { 'content-type': 'application/jsonp' }],
    ['two types', { 'content-type': ['application/json', 'text/plain'] }],
  ])(
    'of a body with %s is the same where its length is declared, and left to the gate where it is not',
    async (_, type) => {
      const ask = { method: 'POST', uri: kinds.buy.uri, headers: { ...bearer, ...type } }
      const expected = await gateSays({ ...ask, body: '{}' })
      expect(expected.status).toBe(415)
      expect(await refusal({ ...ask, headers: { ...ask.headers, 'content-length': '2' } })).toEqual(expected)
      const chunked = { ...ask.headers, 'transfer-encoding': 'chunked' }
      expect(await refusal({ ...ask, headers: chunked }), 'which may be empty').toBeUndefined()
      expect(await refusal(ask), 'of no body').toBeUndefined()
    },
  )

  it.each<[string, Pick<Ask, 'headers'>]>([
    ['no session', {}],
    ['a cookie of another name', { headers: { cookie: 'session=a.b.c' } }],
    ['two sessions', { headers: { authorization: ['Bearer a.b.c', 'Bearer d.e.f'] } }],
    ['two session cookies', { headers: { cookie: 'sluice_session=a.b.c; sluice_session=d.e.f' } }],
  ])('of %s asks to sign in, with the gate’s text', async (_, ask) => {
    for (const { uri, method, needsSession } of routes) {
      const said = await refusal({ uri, method, ...ask })
      if (!needsSession) expect(said).toBeUndefined()
      else expect(said).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    }
    const { status, body } = await gateSays({ uri: kinds.orders.uri })
    expect(await refusal({ uri: kinds.orders.uri, ...ask })).toMatchObject({ status, body })
  })

  it('is the one in the table of outcomes', async () => {
    const asks: Ask[] = [
      { uri: '/api/none' },
      ...routes.flatMap(({ uri, method, maxBytes }) => [
        { uri, method: 'TRACE' },
        { uri, method, headers: { 'content-length': String(maxBytes + 1) } },
        { uri, method, headers: { 'content-length': '1' } },
        { uri, method },
      ]),
    ]
    const codes = new Set<unknown>()
    for (const ask of asks) {
      const said = await refusal(ask)
      if (said === undefined) continue
      codes.add(said.code)
      const { code, detail } = said.body
      expect(said.body).toEqual(problem(code as ProblemCode, String(detail)))
      expect(said.status).toBe(said.body.status)
      expect(said.headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
    }
    const every = 'method-not-allowed not-found sign-in-required too-large unsupported-media-type'
    expect([...codes].sort().join(' ')).toBe(every)
  })
})

describe('a request with false headers (L6)', () => {
  it.each(['-1', 'many', '1e9999', '0x10', ' 7 ', ''])('with a length of %j does no harm', async (length) => {
    const headers = { ...bearer, ...json, 'content-length': length }
    expect([undefined, 413]).toContain((await refusal({ method: 'POST', uri: kinds.buy.uri, headers }))?.status)
  })

  it('never throws', async () => {
    const names = fc.constantFrom('authorization', 'content-type', 'content-length', 'transfer-encoding', 'x')
    const headers = fc.dictionary(names, fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 2 })))
    const uri = fc.oneof(fc.constantFrom('/api/time', ...routes.map((route) => route.uri)), anyPath)
    const method = fc.oneof(fc.constantFrom('GET', 'POST'), fc.string())
    return fc.assert(fc.asyncProperty(fc.record({ method, uri, headers }), async (ask) => void (await visit(ask))))
  })
})

describe('a page of another site', () => {
  const origin = 'https://host.example'
  const open = new Set(['buy', 'claim', 'pass', 'orders', 'order-change'])
  const preflight = { origin, 'access-control-request-method': 'POST' }

  it.each(routes)('asks before it calls, and is answered here, only about what sells: $kind', async (route) => {
    const { uri, kind, methods } = route
    const answer = await visit({ method: 'OPTIONS', uri, headers: preflight })
    if (!open.has(kind)) {
      expect(answer).toMatchObject({ statusCode: 405, headers: { allow: { value: methods.join(', ') } } })
      expect(Object.keys(answer?.headers ?? {}).join()).not.toContain('access-control')
      return
    }
    expect(answer).toEqual({
      statusCode: 204,
      statusDescription: 'No Content',
      headers: {
        'access-control-allow-origin': { value: '*' },
        'access-control-allow-methods': { value: 'GET, POST' },
        'access-control-allow-headers': { value: 'authorization, content-type, idempotency-key, x-sluice-pass' },
        'access-control-max-age': { value: '86400' },
      },
    })
  })

  it('may send all that the client sends, and read all that it reads', async () => {
    const source = ['click', 'client', 'connection', 'http']
      .map((name) => readFileSync(join(import.meta.dirname, `../../client/${name}.ts`), 'utf8'))
      .join()
    const named = (text: string) => new Set(text.split(', '))
    const asked = await visit({ method: 'OPTIONS', uri: kinds.buy.uri, headers: preflight })
    const sent = named(asked?.headers['access-control-allow-headers']?.value ?? '')
    for (const name of ['authorization', 'content-type', 'idempotency-key', passHeader]) {
      expect(sent).toContain(name)
    }
    const refused = await visit({ uri: kinds.pass.uri, headers: { origin } })
    const shown = named(refused?.headers['access-control-expose-headers']?.value ?? '')
    for (const [, name = ''] of source.matchAll(/\.(?:get|has)\('([a-z-]+)'\)/g)) expect(shown).toContain(name)
    expect(shown).toContain(passHeader)
  })

  it('gets the same answer for each origin, so that no cache needs to know it', async () => {
    for (const { uri } of routes) {
      for (const method of ['OPTIONS', 'TRACE', 'GET', 'POST']) {
        const from = (page: string) => visit({ method, uri, headers: { origin: page } })
        const answers = [await from(origin), await from('https://evil.example'), await from('null')]
        expect(answers[1]).toEqual(answers[0])
        expect(answers[2]).toEqual(answers[0])
        const headers = answers[0]?.headers ?? {}
        expect(headers).not.toHaveProperty('vary')
        expect(headers).not.toHaveProperty('access-control-allow-credentials')
      }
    }
  })

  it.each(routes)('may read a refusal, only of what sells: $kind', async ({ uri, kind }) => {
    const answer = await visit({ method: 'TRACE', uri, headers: { origin } })
    expect(answer?.headers['access-control-allow-origin']).toEqual(open.has(kind) ? { value: '*' } : undefined)
    const own = await visit({ method: 'TRACE', uri })
    expect(Object.keys(own?.headers ?? {}).join()).not.toContain('access-control')
  })

  it('has no preflight for a path that does not exist, nor for the clock', async () => {
    expect(await visit({ method: 'OPTIONS', uri: '/api/none', headers: preflight })).toMatchObject({ statusCode: 404 })
    expect(await visit({ method: 'OPTIONS', uri: '/api/time', headers: preflight })).toMatchObject({ statusCode: 405 })
  })
})

describe('the clock (C5)', () => {
  it('is answered here: the time in epoch ms, never stored', async () => {
    const before = Date.now()
    const { statusCode, headers, body } = functionAnswer.parse(await visit({ uri: '/api/time' }))
    const { now } = z.strictObject({ now: z.number() }).parse(JSON.parse(body?.data ?? ''))
    expect(statusCode).toBe(200)
    expect(headers).toEqual({ 'content-type': { value: 'application/json' }, 'cache-control': { value: 'no-store' } })
    expect(now).toBeGreaterThanOrEqual(before)
    expect(now).toBeLessThanOrEqual(Date.now())
  })

  it('accepts GET and no body', async () => {
    expect(await refusal({ method: 'POST', uri: '/api/time' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET' },
    })
    expect((await refusal({ uri: '/api/time', headers: { 'content-length': '1' } }))?.status).toBe(413)
  })
})
