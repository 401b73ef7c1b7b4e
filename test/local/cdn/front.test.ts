/** An API call through the front: the event for the edge, the changes it may make, and the target. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect } from 'node:net'
import type { CloudFrontRequest, CloudFrontRequestEvent } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import { dist } from '../../../build.ts'
import { apiBehaviour } from '../../../local/cdn/api.ts'
import { loadPreGate, type PreGate } from '../../../local/cdn/cloudfront-functions.ts'
import type { EdgeResult, LoadedEdgeFunction } from '../../../local/cdn/edge-exchange.ts'
import { forwarder } from '../../../local/cdn/forward.ts'
import { startFront } from '../../../local/cdn/front.ts'
import { signOriginRequest } from '../../../local/lambda/signature.ts'
import { listen, PortTaken } from '../../../local/listen.ts'
import { openOrigin } from '../../../local/origin.ts'
import { useStops } from '../../stops.ts'
import { emptyLocation } from '../key-values.ts'

const secret = 'a secret of this test'
const stops = useStops()

type Received = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

async function startOrigin(answer: (server: Server, times: number) => void = () => {}) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ method, url, headers, body })
    answer(server, received.length)
    if (request.socket.destroyed) return
    response.writeHead(202, {
      'content-type': 'application/json',
      'set-cookie': ['a=1', 'b=2'],
      'x-amzn-requestid': '1',
    })
    response.end('{"from":"origin"}')
  })
  const listening = await listen(server, 0)
  stops.push(listening.stop)
  return { ...listening, received }
}

const goesOn: PreGate = async () => undefined
const broken = async () => {
  throw new Error('broken')
}

async function start(edge: LoadedEdgeFunction, originUrl = 'http://127.0.0.1:9', preGate = goesOn) {
  const log: string[] = []
  const asked: string[] = []
  const origin = openOrigin(originUrl)
  const front = await startFront(0, (line) => log.push(line))
  stops.push(front.stop, () => origin.close())
  front.open({
    api: apiBehaviour({
      preGate,
      edge,
      customHeaders: { 'x-sluice-issuer': 'us' },
      forward: forwarder({
        originOf: (name) => {
          asked.push(name)
          return origin
        },
        signingSecret: secret,
      }),
      log: (line) => log.push(line),
    }),
    site: async (_, response) => void response.end('site'),
    local: async (_, response) => void response.end('local'),
  })
  return { ...front, log, asked }
}

const requestOf = (event: CloudFrontRequestEvent): CloudFrontRequest => {
  const request = event.Records[0]?.cf.request
  if (request === undefined) throw new Error('no request in the event')
  return request
}

/** Passes on what CloudFront would accept, after `change`. */
const passing =
  (change: (request: CloudFrontRequest) => void = () => {}): LoadedEdgeFunction =>
  (event) => {
    const request = requestOf(event)
    change(request)
    return request
  }

describe('the event for the edge function', () => {
  async function edgeEventOf(path: string, init: RequestInit): Promise<CloudFrontRequestEvent> {
    let seen: CloudFrontRequestEvent | undefined
    const { url } = await start((event) => {
      seen = structuredClone(event)
      return { status: '200', headers: {}, body: 'ok' }
    })
    await fetch(url + path, init)
    if (seen === undefined) throw new Error('the edge function was not called')
    return seen
  }

  it('carries raw path, query, client, exact body bytes and the settings', async () => {
    const body = Buffer.from([0, 255, 1, 254])
    const event = await edgeEventOf('/api/sales/a%2fb/orders?x=%C3%A9&x', { method: 'POST', body })
    expect(event.Records[0]?.cf.config).toMatchObject({ eventType: 'origin-request' })
    expect(requestOf(event)).toMatchObject({
      method: 'POST',
      uri: '/api/sales/a%2fb/orders',
      querystring: 'x=%C3%A9&x',
      clientIp: '127.0.0.1',
      body: { action: 'read-only', encoding: 'base64', inputTruncated: false, data: body.toString('base64') },
      origin: { custom: { customHeaders: { 'x-sluice-issuer': [{ value: 'us' }] } } },
    })
  })

  it('carries every header under its lower-case name, except those of the connection', async () => {
    const headers = { 'X-Mixed': 'Yes', authorization: 'Bearer x', 'x-real-ip': '6.6.6.6', 'x-amz-cf-id': 'forged' }
    const request = requestOf(await edgeEventOf('/api/time', { headers }))
    expect(request.headers['x-mixed']).toEqual([{ key: expect.stringMatching(/x-mixed/i), value: 'Yes' }])
    expect(request.headers.authorization?.[0]?.value).toBe('Bearer x')
    expect(Object.keys(request.headers)).not.toEqual(expect.arrayContaining(['connection']))
    expect(request.headers).not.toHaveProperty('x-real-ip')
    expect(request.headers).not.toHaveProperty('x-amz-cf-id')
    expect(request.headers.host?.[0]?.value, 'the origin, never what the client says').toMatch(/lambda-url/)
  })

  it('has a new request id each time', async () => {
    const ids = new Set<string>()
    const { url } = await start((event) => {
      ids.add(event.Records[0]?.cf.config.requestId ?? '')
      return { status: '200', body: '' }
    })
    for (let i = 0; i < 5; i++) await fetch(`${url}/api/time`)
    expect(ids.size).toBe(5)
  })

  it('cuts a body off at 1 MB and says so', async () => {
    const event = await edgeEventOf('/api/x', { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })
    const { body } = requestOf(event)
    expect(body?.inputTruncated).toBe(true)
    expect(Buffer.from(body?.data ?? '', 'base64')).toHaveLength(1024 * 1024)
  })
})

describe('an answer of the edge function', () => {
  it('reaches the viewer with status, headers and body', async () => {
    const { url } = await start(async () => ({
      status: '410',
      headers: {
        'content-type': [{ key: 'Content-Type', value: 'text/plain' }],
        'set-cookie': [{ value: 'a=1' }, { value: 'b=2' }],
      },
      body: Buffer.from('gone').toString('base64'),
      bodyEncoding: 'base64' as const,
    }))
    const response = await fetch(`${url}/api/time`)
    expect(response.status).toBe(410)
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.get('content-length')).toBe('4')
    expect(await response.text()).toBe('gone')
  })

  it('is shared when it is frozen, and made anew when it is not', async () => {
    const frozen = Object.freeze({ status: '200', headers: {}, body: 'frozen' })
    const changing = { status: '200', headers: {}, body: 'first' }
    let answer: EdgeResult = frozen
    const { url } = await start(() => answer)
    const get = async () => (await fetch(`${url}/api/time`)).text()
    expect([await get(), await get()]).toEqual(['frozen', 'frozen'])
    answer = changing
    expect(await get()).toBe('first')
    changing.body = 'second'
    expect(await get()).toBe('second')
  })

  const large = 'x'.repeat(1024 * 1024 + 1)
  it.each<[string, LoadedEdgeFunction]>([
    ['throws', broken],
    ['rejects', () => Promise.reject(new Error('edge is broken'))],
    ['answers with a status out of range', () => ({ status: '199' })],
    ['answers 204 with a body', () => ({ status: '204', body: 'x' })],
    ['answers with a forbidden header', () => ({ status: '200', headers: { 'x-edge-a': [{ value: '1' }] } })],
    ['answers with over 1 MB', () => ({ status: '200', body: large })],
  ])('is a 502 and a line in the log when the function %s', async (_, edge) => {
    const { url, log } = await start(edge)
    const response = await fetch(`${url}/api/time`)
    expect(response.status).toBe(502)
    expect(response.headers.get('x-cache')).toBe('Error from cloudfront')
    expect(log).toHaveLength(1)
  })
})

describe('a request that the edge admits', () => {
  it.each([
    ['/api/sales/mug/orders', 'POST', 'reserve'],
    ['/api/orders', 'GET', 'orders'],
    ['/api/orders/mug-1', 'GET', 'orders'],
    ['/api/orders/mug-1/pay', 'POST', 'order-changes'],
    ['/api/orders/mug-1/cancel', 'POST', 'order-changes'],
    ['/api/control/sales', 'GET', 'control'],
  ])('goes from %s (%s) to %s', async (path, method, name) => {
    const origin = await startOrigin()
    const { url, asked } = await start(passing(), origin.url)
    await fetch(url + path, { method })
    expect(asked).toEqual([name])
    expect(origin.received).toMatchObject([{ method, url: path }])
  })

  it('arrives with the exact body, the headers of the edge, and the signature over both', async () => {
    const origin = await startOrigin()
    const body = '{"quantity":1,"note":"é"}'
    const hash = createHash('sha256').update(body).digest('hex')
    const { url } = await start(
      passing(({ headers }) => {
        headers['x-shopper-id'] = [{ key: 'x-shopper-id', value: 'ann' }]
        headers['x-amz-content-sha256'] = [{ key: 'x-amz-content-sha256', value: hash }]
      }),
      origin.url,
    )
    const response = await fetch(`${url}/api/sales/mug/orders?a=1`, { method: 'POST', body })
    const [received] = origin.received
    expect(received).toMatchObject({ url: '/api/sales/mug/orders?a=1', body, headers: { 'x-shopper-id': 'ann' } })
    expect(received?.headers['x-oac-signature']).toBe(
      signOriginRequest(secret, 'POST', '/api/sales/mug/orders?a=1', hash),
    )
    expect(response.status).toBe(202)
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.get('x-amzn-requestid'), "Lambda's own headers stay inside").toBeNull()
    expect(await response.json()).toEqual({ from: 'origin' })
  })

  it.each([
    ['adds a forbidden header', 'x-real-ip', '1.2.3.4'],
    ['changes a read-only header', 'via', 'me'],
    ['removes a read-only header', 'accept-encoding', undefined],
    ['adds a read-only header', 'if-match', '*'],
    ['uses an upper-case map key', 'X-Thing', '1'],
  ])('is a 502 and never reaches the origin when the edge %s', async (_, name, value) => {
    const origin = await startOrigin()
    const edge = passing(({ headers }) => {
      if (value === undefined) delete headers[name]
      else headers[name] = [{ value }]
    })
    const { url, log } = await start(edge, origin.url)
    const response = await fetch(`${url}/api/orders`, { headers: { 'accept-encoding': 'gzip' } })
    expect(response.status).toBe(502)
    expect(origin.received).toEqual([])
    expect(log[0]).toMatch(/header/)
  })

  it('is never sent twice when it is a write whose answer was lost, and up to three times when it is a read', async () => {
    const origin = await startOrigin((server, times) => {
      if (times !== 4) server.closeAllConnections()
    })
    const { url } = await start(passing(), origin.url)
    expect((await fetch(`${url}/api/sales/mug/orders`, { method: 'POST', body: '{}' })).status).toBe(502)
    expect(origin.received).toHaveLength(1)
    expect((await fetch(`${url}/api/orders`)).status).toBe(202)
    expect(origin.received).toHaveLength(4)
  })

  it('is a 502 when the origin does not listen', async () => {
    const { url } = await start(passing(), 'http://127.0.0.1:9')
    expect((await fetch(`${url}/api/sales/mug/orders`, { method: 'POST' })).status).toBe(502)
  })
})

describe('the pre-gate', () => {
  const answer = {
    statusCode: 404,
    headers: { 'content-type': { value: 'text/plain' } },
    body: { encoding: 'text' as const, data: 'né' },
  }

  async function startShipped() {
    const seen: CloudFrontRequest[] = []
    const preGate = await loadPreGate(dist, emptyLocation())
    const edge = passing((request) => void seen.push(request))
    const origin = await startOrigin()
    return { ...(await start(edge, origin.url, preGate)), seen, origin }
  }

  it('answers the clock and unknown paths without the edge function', async () => {
    const { url, seen } = await startShipped()
    const clock = await fetch(`${url}/api/time`)
    expect(clock.headers.get('x-cache')).toBe('FunctionGeneratedResponse from cloudfront')
    expect(clock.headers.get('cache-control')).toBe('no-store')
    expect(await clock.json()).toEqual({ now: expect.any(Number) })
    expect((await fetch(`${url}/api/wp-login.php`)).status).toBe(404)
    expect((await fetch(`${url}/api/orders`)).status).toBe(401)
    expect(seen).toEqual([])
  })

  it('refuses by the headers alone: before a large body has arrived, in any case', async () => {
    const { url, port, seen } = await startShipped()
    const socket = connect(port, '127.0.0.1')
    const heads = 'host: localhost\r\nauthorization: Bearer a.b.c\r\ncontent-type: application/json\r\n'
    socket.write(`POST /api/sales/mug/orders HTTP/1.1\r\n${heads}content-length: 999999\r\n\r\n{`)
    const first = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))))
    expect(first).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
    const large = { method: 'POST', body: '{}'.padEnd(5000), headers: { authorization: 'Bearer a.b.c' } }
    for (let times = 0; times < 3; times += 1) {
      expect((await fetch(`${url}/api/sales/mug/orders`, large)).status).toBe(413)
    }
    expect(seen).toEqual([])
  })

  it('passes all other requests unchanged', async () => {
    const { url, seen, origin } = await startShipped()
    const headers = { authorization: 'Bearer a.b.c', 'content-type': 'application/json' }
    const body = '{"quantity":1}'
    await fetch(`${url}/api/sales/mug/orders?x=%41`, { method: 'POST', headers, body })
    expect(seen).toMatchObject([{ uri: '/api/sales/mug/orders', querystring: 'x=%41', method: 'POST' }])
    expect(origin.received).toMatchObject([{ url: '/api/sales/mug/orders?x=%41', body }])
  })

  it("sends the function's answer unchanged", async () => {
    const { url } = await start(passing(), undefined, async () => answer)
    const response = await fetch(`${url}/api/x`)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-length')).toBe('3')
    expect(await response.text()).toBe('né')
  })

  it.each<[string, PreGate]>([
    ['throws', broken],
    ['answers with a forbidden header', async () => ({ ...answer, headers: { 'x-edge-a': { value: '1' } } })],
    [
      'answers with a header of its own framing',
      async () => ({ ...answer, headers: { 'content-length': { value: '1' } } }),
    ],
  ])('is a 502 and a line in the log when it %s', async (_, preGate) => {
    const { url, log } = await start(passing(), undefined, preGate)
    expect((await fetch(`${url}/api/x`)).status).toBe(502)
    expect(log).toHaveLength(1)
  })
})

describe('the front', () => {
  it('names a port that is taken', async () => {
    const { port } = await start(passing())
    await expect(startFront(port, () => {})).rejects.toThrow(PortTaken)
    await expect(startFront(port, () => {})).rejects.toThrow(`Port ${port} is in use`)
  })

  it('answers 503 until everything behind it has started', async () => {
    const front = await startFront(0, () => {})
    stops.push(front.stop)
    expect((await fetch(`${front.url}/local/health`)).status).toBe(503)
  })

  it.each([
    ['/local/health', 'local'],
    ['/sign-in/', 'local'],
    ['/sign-in/?return=%2Flocal%2F', 'local'],
    ['/sign-in/?uid=x', 'site'],
    ['/sign-in/index.html', 'site'],
    ['/', 'site'],
  ])('passes %s to the %s behaviour', async (path, behaviour) => {
    const { url } = await start(passing())
    expect(await (await fetch(url + path)).text()).toBe(behaviour)
  })

  it('answers 414 to an address longer than CloudFront accepts', async () => {
    const { url } = await start(passing())
    expect((await fetch(`${url}/${'x'.repeat(8192)}`)).status).toBe(414)
  })

  it('survives a client that disconnects in the middle of its request', async () => {
    const { port, url } = await start(() => ({ status: '200', body: 'ok' }))
    const socket = connect(port, '127.0.0.1')
    socket.write('POST /api/x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nhalf')
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.destroy()
    expect(await (await fetch(`${url}/api/time`)).text()).toBe('ok')
  })
})
