/** Pages and assets through the front: paths, compression, conditional requests, policy headers, errors. */
import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { dist } from '../../../build.ts'
import { sharedCache } from '../../../local/cdn/cache.ts'
import { loadClock, loadSiteFunction, type SiteFunction } from '../../../local/cdn/cloudfront-functions.ts'
import { siteBehaviour } from '../../../local/cdn/site.ts'
import { listen } from '../../../local/listen.ts'
import { openOrigin } from '../../../local/origin.ts'
import { useStops } from '../../stops.ts'
import { emptyLocation, locationWith } from '../key-values.ts'

const stops = useStops()

const long = `<p>${'sluice '.repeat(500)}</p>`
const objects: Record<string, { type: string; body: string | Buffer; cacheControl?: string }> = {
  '/index.html': { type: 'text/html', body: long, cacheControl: 'max-age=30, s-maxage=60' },
  '/current.json': { type: 'application/json', body: '{"version":1}', cacheControl: 'max-age=1' },
  '/sales/mug/current.json': { type: 'application/json', body: '{"version":1}', cacheControl: 'max-age=0, s-maxage=1' },
  '/check/turnstile/index.html': {
    type: 'text/html',
    body: '<main data-script="https://challenges.cloudflare.com/turnstile/v0/api.js">',
  },
  '/picture.png': { type: 'image/png', body: Buffer.alloc(5000, 7), cacheControl: 'max-age=60' },
}

/** With the headers of the bucket's errors. */
const ofTheBucket = { 'content-type': 'application/xml', 'x-amz-request-id': '1', etag: '"error"' }

const somePaths: SiteFunction = async ({ url }) => {
  const [uri = ''] = url.split('?')
  if (uri === '/old') return { statusCode: 301, headers: { location: { value: '/new/' } } }
  return { uri: uri.endsWith('/') ? `${uri}index.html` : uri }
}

async function start(pathOf: SiteFunction = somePaths) {
  const asked: string[] = []
  const bucket = await listen(
    createServer((request, response) => {
      const path = (request.url ?? '').replace('/bucket', '')
      asked.push(path)
      const object = objects[path]
      if (path === '/broken') return response.writeHead(500, ofTheBucket).end('<Error>InternalError</Error>')
      if (object === undefined) {
        const [status, code] = path === '/hidden' ? [403, 'AccessDenied'] : [404, 'NoSuchKey']
        return response.writeHead(status, ofTheBucket).end(`<Error><Code>${code}</Code></Error>`)
      }
      const { type, body, cacheControl = 'no-store' } = object
      return response.writeHead(200, { 'content-type': type, 'cache-control': cacheControl, etag: '"v1"' }).end(body)
    }),
    0,
  )
  const origin = openOrigin(bucket.url)
  const behaviour = siteBehaviour({
    pathOf,
    // Its time stands still: on a busy machine a second may pass between two requests.
    cache: sharedCache({ now: () => 1_000_000, errorTtlMs: 1000, maxTtlMs: 3.6e6, maxBytes: 1e7 }),
    bucket: origin,
    uploadOrigin: 'http://127.0.0.1:9',
    bucketName: 'bucket',
    clock: await loadClock(dist),
    turnstile: standIn,
  })
  const front = await listen(
    createServer((request, response) => void behaviour(request, response)),
    0,
  )
  stops.push(bucket.stop, () => origin.close(), front.stop)
  return { url: front.url, asked, bucketGoesDark: bucket.stop }
}

const standIn = 'http://127.0.0.1:9'

it('the page with Turnstile’s widget has its own policy, and this machine’s stand-in in the place of Turnstile', async () => {
  const { url } = await start()
  const widget = await fetch(`${url}/check/turnstile/`)
  expect(await widget.text()).toBe(`<main data-script="${standIn}/turnstile/v0/api.js">`)
  expect(widget.headers.get('content-security-policy')).toContain(`script-src 'self' ${standIn};`)
  expect(widget.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  expect(widget.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(widget.headers.get('etag')).toBeNull()
  const page = await fetch(`${url}/`)
  expect(page.headers.get('content-security-policy')).not.toContain(standIn)
  expect(page.headers.get('x-frame-options')).toBe('DENY')
})

describe('a page', () => {
  it('is sent whole, with the policy that forbids inline scripts, and then from the cache', async () => {
    const { url, asked } = await start()
    const first = await fetch(`${url}/`)
    expect(first.status).toBe(200)
    expect(await first.text()).toBe(long)
    expect(first.headers.get('x-cache')).toBe('Miss from cloudfront')
    const policy = first.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    const second = await fetch(`${url}/`)
    expect(second.headers.get('x-cache')).toBe('Hit from cloudfront')
    expect(second.headers.get('age')).toBe('0')
    expect(asked).toEqual(['/index.html'])
  })

  it('shares one cached object for any query or cookies of a viewer', async () => {
    const { url, asked } = await start()
    await fetch(`${url}/current.json?nocache=1`, { headers: { cookie: 'a=1' } })
    await fetch(`${url}/current.json?nocache=2`, { headers: { cookie: 'a=2' } })
    expect(asked).toEqual(['/current.json'])
  })

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0, gzip;q=0', null],
    ['identity', null],
  ])('is compressed for a viewer that accepts "%s": %s', async (accepted, encoding) => {
    const { url } = await start()
    for (let i = 0; i < 2; i++) {
      const response = await fetch(`${url}/`, { headers: { 'accept-encoding': accepted } })
      expect(response.headers.get('content-encoding')).toBe(encoding)
      expect(response.headers.get('etag')).toBe(encoding === null ? '"v1"' : 'W/"v1"')
      if (encoding !== null) {
        expect(response.headers.get('vary')).toBe('Accept-Encoding')
        expect(Number(response.headers.get('content-length'))).toBeLessThan(200)
      }
      expect(await response.text()).toBe(long)
    }
  })

  it('sends small objects and pictures uncompressed', async () => {
    const { url } = await start()
    for (const path of ['/current.json', '/picture.png']) {
      const response = await fetch(url + path, { headers: { 'accept-encoding': 'br' } })
      expect(response.headers.get('content-encoding')).toBeNull()
    }
  })

  it.each(['"v1"', 'W/"v1"', '"other", "v1"', '*'])('is 304 without a body for If-None-Match: %s', async (tag) => {
    const { url } = await start()
    const response = await fetch(`${url}/`, { headers: { 'if-none-match': tag, 'accept-encoding': 'br' } })
    expect(response.status).toBe(304)
    expect(response.headers.get('cache-control')).toBe('max-age=30, s-maxage=60')
    expect(await response.text()).toBe('')
  })

  it('is sent whole when the viewer has another version', async () => {
    const { url } = await start()
    expect((await fetch(`${url}/`, { headers: { 'if-none-match': '"v0"' } })).status).toBe(200)
  })

  it('has only headers for HEAD', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/current.json`, { method: 'HEAD' })
    expect(response.headers.get('content-length')).toBe('13')
    expect(await response.text()).toBe('')
  })

  it('is a redirect where the path function says so', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/old`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([301, '/new/'])
  })

  it.each([
    ['/orders', '/orders/'],
    ['/orders?', '/orders/'],
    ['/orders?id=a%26b&new', '/orders/?id=a%26b&new='],
    ['/sales/mug?utm=1&utm=2&constructor=%3d', '/sales/mug/?utm=1&utm=2&constructor=%3d'],
  ])('keeps the query of %s on its way to the page, with the deployed path function', async (path, location) => {
    const { url } = await start(await loadSiteFunction(dist, emptyLocation()))
    const response = await fetch(url + path, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([301, location])
  })
})

describe('an unknown path', () => {
  it.each(['/nothing.html', '/sales/mug/', '/sales/mug/?utm=1'])(
    'is a page of ours, made without the bucket and with the policy of pages: %s',
    async (path) => {
      const { url, asked } = await start(await loadSiteFunction(dist, emptyLocation()))
      const response = await fetch(url + path)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('x-cache')).toBe('FunctionGeneratedResponse from cloudfront')
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
      const page = await response.text()
      expect(page).toMatch(/^<!doctype html>/)
      expect(page.length).toBe(page.trimStart().length)
      expect(asked).toEqual([])
    },
  )

  it('has only headers for HEAD, and is sent whole to a browser with a cached copy', async () => {
    const { url } = await start(await loadSiteFunction(dist, emptyLocation()))
    const head = await fetch(`${url}/nothing.html`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await head.text()).toBe('')
    expect((await fetch(`${url}/nothing.html`, { headers: { 'if-none-match': '*' } })).status).toBe(404)
  })

  it('is read from the store for a sale: its objects come from the bucket as soon as it is there', async () => {
    const { url, asked } = await start(await loadSiteFunction(dist, locationWith({ 'sale:mug': '' })))
    expect((await fetch(`${url}/sales/cup/countdown.1.js`)).status).toBe(404)
    expect(asked).toEqual([])
    await fetch(`${url}/sales/mug/countdown.1.js`)
    expect(asked).toEqual(['/sales/mug/countdown.1.js'])
  })
})

it('asks the bucket for the built-in sign-in page without a function, as it is behind another origin in the cloud', async () => {
  const { url, asked } = await start(() => {
    throw new Error('a function ran')
  })
  await fetch(`${url}/sign-in/?as=ann`)
  expect(asked).toEqual(['/sign-in/index.html'])
})

describe('the pointer', () => {
  const path = '/sales/mug/current.json'
  const timeIn = ({ headers }: Response) => Number(headers.get('x-sluice-now'))

  it('carries the time of each answer, also from the cache and with 304 (C5)', async () => {
    const { url, asked } = await start()
    const before = Date.now()
    const first = await fetch(url + path)
    expect(timeIn(first)).toBeGreaterThanOrEqual(before)
    const cached = await fetch(url + path)
    expect(cached.headers.get('x-cache')).toBe('Hit from cloudfront')
    expect(timeIn(cached)).toBeGreaterThanOrEqual(timeIn(first))
    const unchanged = await fetch(url + path, { headers: { 'if-none-match': '"v1"' } })
    expect(unchanged.status).toBe(304)
    expect(timeIn(unchanged)).toBeGreaterThanOrEqual(timeIn(cached))
    expect(timeIn(unchanged)).toBeLessThanOrEqual(Date.now())
    expect(asked).toEqual([path])
  })

  it('is kept by CloudFront and never by a browser, which after Back would show an old time (C5)', async () => {
    const { url } = await start()
    for (const cached of ['Miss from cloudfront', 'Hit from cloudfront']) {
      const { headers } = await fetch(url + path)
      expect([headers.get('x-cache'), headers.get('cache-control')]).toEqual([cached, 'no-store'])
    }
  })

  it('keeps all other headers of the answer, and no other object and no error has the time', async () => {
    const { url } = await start()
    const { headers } = await fetch(url + path)
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    for (const other of ['/', '/sales/nothing/current.json'])
      expect((await fetch(url + other)).headers.has('x-sluice-now'), other).toBe(false)
  })
})

describe('a missing object', () => {
  it.each(['/nothing', '/hidden'])(
    'is a short text without details of the bucket, read once a second: %s',
    async (path) => {
      const { url, asked } = await start()
      for (let i = 0; i < 3; i++) {
        const response = await fetch(url + path)
        expect(response.status).toBe(404)
        expect(response.headers.get('cache-control')).toBe('no-store')
        expect(response.headers.get('x-cache')).toBe('Error from cloudfront')
        expect(response.headers.get('etag')).toBeNull()
        expect(response.headers.get('x-amz-request-id')).toBeNull()
        expect(await response.text()).not.toMatch(/Code>|NoSuchKey|AccessDenied|bucket/i)
      }
      expect(asked).toHaveLength(1)
    },
  )

  it('is a short text where the bucket fails', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/broken`)
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/plain; charset=utf-8'])
    expect(await response.text()).toMatch(/^500 [^<]+\n$/)
  })

  it.each(['POST', 'PUT', 'DELETE'])('cannot be written with %s', async (method) => {
    const { url, asked } = await start()
    expect((await fetch(`${url}/`, { method })).status).toBe(403)
    expect(asked).toEqual([])
  })

  it('is a 502 while the bucket is unavailable, unless the page is cached', async () => {
    const { url, bucketGoesDark } = await start()
    await fetch(`${url}/`)
    await bucketGoesDark()
    expect((await fetch(`${url}/`)).status).toBe(200)
    expect((await fetch(`${url}/picture.png`)).status).toBe(502)
  })
})
