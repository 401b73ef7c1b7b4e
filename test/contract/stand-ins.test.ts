/**
 * The stand-ins for `Request`, `Headers` and `Response` beside the standard objects: the same cases pass through the same apps,
 * and what the apps see and answer is equal. Where a stand-in differs on purpose, a case says how.
 */
import fc from 'fast-check'
import type { Context } from 'hono'
import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { EdgeRequest } from '../../edge/cloudfront.ts'
import { createGateApp } from '../../edge/funnel.ts'
import { type RouteKind, routeKinds, routes } from '../../edge/routes.ts'
import { answered, requestFor } from '../../edge/stand-ins.ts'
import type { GateExchange } from '../../edge/typed-funnel.ts'
import { type HttpAnswer, jsonAnswer, problemAnswer } from '../../functions/lib/http/answer.ts'
import { createApp, type Middleware, type Route } from '../../functions/lib/http/app.ts'
import { answerIn, type FunctionUrlEvent, requestIn, responseOf } from '../../functions/lib/http/stand-ins.ts'

const origin = 'https://function'
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A request as both forms have it: header names are in lower case, as Lambda sends them. */
type Sent = {
  method?: string
  path?: string
  query?: string
  headers?: Record<string, string>
  cookies?: string[]
  body?: Buffer
}

const eventOf = ({
  method = 'GET',
  path = '/echo/a',
  query = '',
  headers = {},
  cookies,
  body,
}: Sent): FunctionUrlEvent => ({
  ...{ rawPath: path, rawQueryString: query, headers, isBase64Encoded: true },
  ...(cookies && { cookies }),
  ...(body && { body: body.toString('base64') }),
  requestContext: { http: { method } },
})

const standardOf = ({ method = 'GET', path = '/echo/a', query = '', headers = {}, cookies, body }: Sent) =>
  new Request(`${origin}${path}?${query}`, {
    ...{
      method,
      headers: [...Object.entries(headers), ...(cookies ? [['cookie', cookies.join('; ')] as [string, string]] : [])],
    },
    ...(body && { body: new Uint8Array(body) }),
  })

/** Answers with all that Hono reads of a request for our apps. */
async function seen(_ports: unknown, { req }: Context): Promise<Response> {
  const { pathname, search } = new URL(req.url)
  return responseOf(
    jsonAnswer(200, {
      ...{ method: req.method, path: req.path, pathname, search, part: req.param('part') },
      ...{ query: req.query(), queries: req.queries(), header: req.header() },
      named: ['content-type', 'Content-Type', 'X-REQUEST-ID', 'cookie', 'x-missing'].map(
        (name) => req.header(name) ?? 'none',
      ),
      body: Buffer.from(await req.arrayBuffer()).toString('hex'),
      bytes: Buffer.from(await req.bytes()).toString('hex'),
    }),
  )
}

const echo = createApp(
  {},
  methods.map(
    (method): Route<unknown> => ({ operation: { method, path: '/echo/:part', answer: z.unknown() }, respond: seen }),
  ),
)

describe('a request to a function (N8)', () => {
  it.each<[string, Sent]>([
    ['without a body', {}],
    [
      'of JSON',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: Buffer.from('{"n":1,"é":"中"}') },
    ],
    [
      'of text with a byte order mark',
      { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: Buffer.from('\uFEFFtext\r\n') },
    ],
    ['of bytes that are no UTF-8', { method: 'PATCH', body: Buffer.from([0, 0xff, 0xfe, 0xc3, 0x28]) }],
    ['with an empty body', { method: 'POST', body: Buffer.alloc(0) }],
    ['of a large body', { method: 'POST', body: Buffer.alloc(70_000, 'ab') }],
    ['to delete', { method: 'DELETE' }],
    [
      'with headers',
      { headers: { 'content-type': 'a/b', 'x-request-id': 'r-1', 'x-empty': '', accept: 'a, b,c;q=0.5' } },
    ],
    ['with bytes above ASCII in a header', { headers: { 'x-request-id': '\x80é\xff' } }],
    ['with cookies', { cookies: ['a=1', 'b="2"', 'a=3'] }],
    ['with a query', { query: 'a=1&b=%20x&a=2&c&d=&e=1+2&%zz=%zz&f=中' }],
    ['with an escaped path', { path: '/echo/a%2Fb%25' }],
    ['with a malformed escape', { path: '/echo/a%zz' }],
    ['with another path', { path: '/echo/a/../b/./c' }],
    ['to no operation', { path: '/nothing' }],
  ])('%s is seen as a standard one', async (_name, sent) => {
    const [standIn, standard] = [await echo.fetch(requestIn(eventOf(sent))), await echo.fetch(standardOf(sent))]
    // A standard `Headers` lists its names sorted.
    const read = ({ statusCode, body }: HttpAnswer) => [statusCode, JSON.parse(body)]
    expect(read(answerIn(standIn))).toEqual(read(answerIn(standard)))
    if (sent.path === undefined) expect(answerIn(standIn).statusCode).toBe(200)
  })

  it('of text has the same bytes, whether Lambda sends it as text or in base64', async () => {
    const sent = { method: 'POST', body: Buffer.from('{"é":"中"}') }
    const asText = { ...eventOf(sent), body: '{"é":"中"}', isBase64Encoded: false }
    expect(answerIn(await echo.fetch(requestIn(asText)))).toEqual(answerIn(await echo.fetch(standardOf(sent))))
  })

  const anyValue = fc.string({
    unit: fc.constantFrom('a', 'Z', ' ', '\t', '\n', '\r', '\0', '\x7f', 'é', 'ÿ', 'Ā', '中'),
  })
  it('reads "?" for each value of a header that a standard one refuses or changes, and for control characters', () => {
    let [kept, replaced] = [0, 0]
    fc.assert(
      fc.property(anyValue, (value) => {
        const { headers } = requestIn(eventOf({ headers: { 'x-value': value } }))
        const isControl = /\p{Cc}/u.test(value)
        const isKept = !isControl && standardValue(value) === value
        if (isKept) kept += 1
        else replaced += 1
        expect(headers.get('X-Value')).toBe(isKept ? value : '?')
      }),
      { numRuns: 500 },
    )
    expect(Math.min(kept, replaced)).toBeGreaterThan(20)
  })

  it('drops such a cookie', () => {
    expect(requestIn(eventOf({ cookies: ['a=1', 'b=中', 'c=3'] })).headers.get('Cookie')).toBe('a=1; c=3')
  })

  // Hono makes GET of a standard HEAD, so a request that changes nothing would still run an operation.
  it.each(['HEAD', 'OPTIONS', 'PURGE', 'get'])('by %s, which no operation has, calls none', async (method) => {
    const answer = answerIn(await echo.fetch(requestIn(eventOf({ method }))))
    expect(answer).toMatchObject({ statusCode: 405, headers: { allow: methods.join(', ') } })
  })
})

/** The value as a standard `Headers` has it, undefined where that refuses it. */
function standardValue(value: string): string | undefined {
  try {
    return new Headers({ 'x-value': value }).get('x-value') ?? undefined
  } catch {
    return undefined
  }
}

const withoutContent = [204, 304]

function standardAnswer({ statusCode: status, headers, body, cookies = [] }: HttpAnswer): Response {
  const response = new Response(withoutContent.includes(status) ? null : body, { status, headers })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** Returns a standard response as an answer that a browser reads. */
async function readAnswer(response: Response): Promise<HttpAnswer> {
  const { 'set-cookie': _, ...headers } = Object.fromEntries(response.headers)
  const cookies = response.headers.getSetCookie()
  return { statusCode: response.status, headers, body: await response.text(), ...(cookies.length > 0 && { cookies }) }
}

describe('an answer of a function (N8)', () => {
  const json = { 'content-type': 'application/json' }
  it.each<[string, HttpAnswer]>([
    ['of JSON', jsonAnswer(202, { orderId: 'o-1', é: '中' })],
    ['of text', { statusCode: 200, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: 'a\r\n\0é中' }],
    [
      'that is a problem',
      problemAnswer({
        ...{ type: 't', title: 't', status: 429 },
        code: 'too-many-requests',
        detail: '',
        retryAfterSeconds: 2,
      }),
    ],
    ['that fails', { statusCode: 503, headers: json, body: '{}' }],
    ['without content', { statusCode: 204, headers: { 'x-sluice-now': '5' }, body: '' }],
    ['with an empty body', { statusCode: 200, headers: json, body: '' }],
    [
      'that leads elsewhere and sets cookies',
      {
        statusCode: 303,
        headers: { location: '/a?b=c' },
        body: '',
        cookies: ['a=1; Path=/; HttpOnly', 'b=2, 3; Secure'],
      },
    ],
  ])('%s passes through an app as a standard one does', async (_name, answer) => {
    const statuses: number[] = []
    const noteStatus: Middleware = async (c, next) => {
      await next()
      statuses.push(c.res.status)
    }
    const through = async (response: Response) => {
      const operation = { method: 'GET', path: '/echo/:part', answer: z.unknown() } as const
      const app = createApp({}, [{ operation, respond: async () => response }], noteStatus)
      const passed = await app.fetch(requestIn(eventOf({})))
      expect(passed, 'Hono neither copies nor replaces it').toBe(response)
      return passed
    }
    const standard = await readAnswer(await through(standardAnswer(answer)))
    // A standard response names the type of a text by itself.
    if (answer.headers['content-type'] === undefined) delete standard.headers['content-type']
    expect(answerIn(await through(responseOf(answer)))).toEqual(standard)
    expect(statuses).toEqual([answer.statusCode, answer.statusCode])
  })

  it('that is a standard response is a fault of ours', () => {
    expect(() => answerIn(new Response())).toThrow('was not made by responseOf')
  })
})

const aPart = { saleId: 'sale-1', orderId: 'sale-1.1234567890abcdefghij' }
/** A path of each route; those of some parameters fit no route, which both forms must find alike. */
const gatePaths = [
  ...routeKinds.flatMap((kind) =>
    routes[kind].paths.map((path) =>
      path.replaceAll(/:(\w+)\{[^/]*\}/g, (_, name: string) => aPart[name as keyof typeof aPart] ?? name),
    ),
  ),
  ...['/api/sales/SALE/orders', '/api/orders/', 'api/orders', '/nothing', '/api/sales/{x}/orders', ''],
]

function arrivalFor(method: string, uri: string): GateExchange {
  const request: EdgeRequest = { clientIp: '192.0.2.1', headers: {}, method, querystring: '', uri }
  const unknown = { route: undefined, asked: undefined, answer: undefined }
  return { request, requestId: 'request-1', now: 0, loadMemory: () => undefined, ...unknown }
}

describe('a request to the gate (N8)', () => {
  const app = createGateApp()
  const routed = async (request: Pick<Request, 'method'>, method: string, path: string) => {
    const arrival = arrivalFor(method, path)
    const response = await app.fetch(request, arrival)
    const status = arrival.answer !== undefined && 'status' in arrival.answer ? arrival.answer.status : 'none'
    return { route: arrival.route, status, response }
  }

  it('has the route of a standard one for each path and method, and Hono passes its answer on untouched', async () => {
    const found = new Set<RouteKind | undefined>()
    for (const path of gatePaths) {
      for (const method of [...methods, 'OPTIONS']) {
        const standIn = await routed(requestFor(method), method, path)
        expect(standIn, `${method} ${path}`).toEqual(await routed(new Request(origin, { method }), method, path))
        expect(standIn.response).toBe(await answered)
        found.add(standIn.route)
      }
    }
    expect(found.size).toBeGreaterThan(10)
  })

  it.each(['HEAD', 'TRACE', 'PURGE', 'get'])('by %s, which no route has, is refused with 405', async (method) => {
    expect(await routed(requestFor(method), method, '/api/orders')).toMatchObject({ route: undefined, status: '405' })
  })

  it('gets its answer from Hono as a standard response is passed on', async () => {
    for (const response of [await answered, new Response('text', { status: 404 })]) {
      const passes = new HonoBase({ router: new TrieRouter(), getPath: () => '/any' })
      passes.on(['GET'], ['/any'], async () => response)
      expect(await passes.fetch(new Request(origin))).toBe(response)
    }
  })
})
