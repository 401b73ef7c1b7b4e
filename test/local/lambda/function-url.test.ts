/** The function URL: the event for the handler, the answer for the caller, and rejected callers. */
import { createHash } from 'node:crypto'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import { startFunctionUrl } from '../../../local/lambda/function-url.ts'
import { signOriginRequest } from '../../../local/lambda/signature.ts'
import { useStops } from '../../stops.ts'

const secret = 'a secret of this test'
const stops = useStops()
const empty = { statusCode: 200 }

type Event = APIGatewayProxyEventV2
type Options = { concurrency?: number; timeoutMs?: number }

async function start(handler: (event: Event) => unknown, options: Options = {}) {
  const failures: unknown[] = []
  const { timeoutMs = 60_000, concurrency = 10 } = options
  const fn = { name: 'sample', timeoutMs, invocations: 0, handler: (event: unknown) => handler(event as Event) }
  const server = await startFunctionUrl(fn, { signingSecret: secret, concurrency }, (f) => failures.push(f))
  stops.push(server.stop)
  const call = (method: string, path: string, body = '', headers: Record<string, string> = {}) => {
    const hash = createHash('sha256').update(body).digest('hex')
    return fetch(server.url + path, {
      method,
      headers: {
        'x-amz-content-sha256': hash,
        'x-oac-signature': signOriginRequest(secret, method, path, headers['x-amz-content-sha256'] ?? hash),
        ...headers,
      },
      ...(body !== '' && { body }),
    })
  }
  return { url: server.url, call, failures }
}

/** The event of a call. */
async function seenOf(...request: Parameters<Awaited<ReturnType<typeof start>>['call']>): Promise<Event | undefined> {
  const events: Event[] = []
  const { call } = await start((event) => void events.push(event))
  await call(...request)
  return events[0]
}

describe('a function URL', () => {
  it('passes method, path, query, headers and cookies in payload format 2.0', async () => {
    const headers = { cookie: 'one=1; two=2', 'x-thing': 'yes' }
    const seen = await seenOf('GET', '/a/b%20c?x=1&x=2&y=%C3%A9', '', headers)
    expect(seen).toMatchObject({
      version: '2.0',
      rawPath: '/a/b%20c',
      rawQueryString: 'x=1&x=2&y=%C3%A9',
      queryStringParameters: { x: '1,2', y: 'é' },
      cookies: ['one=1', 'two=2'],
      headers: { 'x-thing': 'yes' },
      isBase64Encoded: false,
      requestContext: { http: { method: 'GET', path: '/a/b%20c' } },
    })
    expect(seen?.headers).not.toHaveProperty('cookie')
    expect(seen).not.toHaveProperty('body')
  })

  it('passes a query whose names are those of members of every object', async () => {
    const seen = await seenOf('GET', '/?constructor=1&__proto__=2')
    expect(Object.entries(seen?.queryStringParameters ?? {})).toEqual([
      ['constructor', '1'],
      ['__proto__', '2'],
    ])
  })

  it.each([
    ['application/json', '{"a":"é"}', false],
    ['application/problem+json', '{}', false],
    ['text/plain', 'hi', false],
    ['application/octet-stream', 'hi', true],
    ['', 'hi', true],
  ])('passes a body of type "%s" without loss', async (type, text, base64) => {
    const seen = await seenOf('POST', '/', text, { 'content-type': type })
    expect(seen?.isBase64Encoded).toBe(base64)
    expect(Buffer.from(seen?.body ?? '', base64 ? 'base64' : 'utf8').toString()).toBe(text)
  })

  it('answers with status, headers, every cookie separately and a decoded body', async () => {
    const { call } = await start(() => ({
      statusCode: 201,
      headers: { 'content-type': 'text/plain', 'x-count': 3 },
      cookies: ['a=1', 'b=2; Secure'],
      body: Buffer.from('héllo').toString('base64'),
      isBase64Encoded: true,
    }))
    const response = await call('GET', '/')
    expect(response.status).toBe(201)
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2; Secure'])
    expect(response.headers.get('x-count')).toBe('3')
    expect(await response.text()).toBe('héllo')
  })

  it.each([
    ['throws', () => Promise.reject(new Error('broken'))],
    [
      'throws at once',
      () => {
        throw new Error('broken')
      },
    ],
    ['returns an invalid response', () => ({ statusCode: 'ok' })],
    ['returns more than 6 MB', () => ({ statusCode: 200, body: 'x'.repeat(6 * 1024 * 1024 + 1) })],
    ['does not answer in time', () => new Promise(() => {})],
  ])('answers 502 and reports when the handler %s', async (_, handler) => {
    const { call, failures } = await start(handler, { timeoutMs: 30 })
    const response = await call('GET', '/')
    expect(response.status).toBe(502)
    expect(await response.text()).not.toContain('broken')
    expect(failures).toHaveLength(1)
  })

  it('refuses a request over 6 MB with 413', async () => {
    const { call } = await start(() => empty)
    expect((await call('POST', '/', 'x'.repeat(6 * 1024 * 1024 + 1))).status).toBe(413)
    expect((await call('POST', '/', 'x'.repeat(6 * 1024 * 1024))).status).toBe(200)
  })

  it('refuses a call beyond its concurrency with 429', async () => {
    const gate = Promise.withResolvers<void>()
    const { call } = await start(() => gate.promise.then(() => empty), { concurrency: 2 })
    const calls = [call('GET', '/'), call('GET', '/'), call('GET', '/')]
    const first = await Promise.race(calls)
    expect(first.status).toBe(429)
    gate.resolve()
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 200, 429])
  })
})

describe('the origin signature', () => {
  const refused = async (headers: Record<string, string>, body = '{"quantity":1}') => {
    let reached = false
    const { call } = await start(() => {
      reached = true
      return empty
    })
    const response = await call('POST', '/api/x', body, headers)
    expect(reached).toBe(false)
    expect(response.status).toBe(403)
  }

  it('is required: a request that bypasses the front is refused', async () => {
    await refused({ 'x-oac-signature': '' })
    await refused({ 'x-oac-signature': 'f'.repeat(64) })
    await refused({ 'x-oac-signature': signOriginRequest('another secret', 'POST', '/api/x', '') })
  })

  it('covers the body: bytes other than those hashed at the edge are refused', async () => {
    await refused({ 'x-amz-content-sha256': createHash('sha256').update('{"quantity":2}').digest('hex') })
  })

  it('covers method and path', async () => {
    const hash = createHash('sha256').update('').digest('hex')
    const { url } = await start(() => empty)
    const signature = signOriginRequest(secret, 'GET', '/a', hash)
    const get = (path: string, method = 'GET') =>
      fetch(url + path, { method, headers: { 'x-oac-signature': signature, 'x-amz-content-sha256': hash } })
    expect((await get('/a')).status).toBe(200)
    expect((await get('/b')).status).toBe(403)
    expect((await get('/a', 'DELETE')).status).toBe(403)
  })

  it('may omit the body hash of a read, and never of a write', async () => {
    const { call } = await start(() => empty)
    const unhashed = { 'x-amz-content-sha256': '' }
    expect((await call('POST', '/', 'x', unhashed)).status).toBe(403)
  })
})
