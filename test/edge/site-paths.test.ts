/** The CloudFront Function of the pages, as the build generates it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { dist } from '../../build.ts'
import { objectReads } from '../../cli/preflight/costs.ts'
import { entryKey } from '../../core/gate/edge-entry.ts'
import type { SaleId } from '../../core/ids.ts'
import { countdownJsonPath, countdownPath, pagePath, pointerPath } from '../../core/sale/pointer.ts'
import type { EdgeLocation } from '../../local/cdn/key-value-store.ts'
import { loadViewerFunction, viewerEvent } from '../../local/cdn/viewer-function.ts'
import { pageHeaders } from '../../system/site-headers.ts'
import { releaseFile } from '../../system/site-objects.ts'
import { renderMissingPage } from '../../templates/pages/plain-page.ts'
import { emptyLocation, locationWith } from '../local/key-values.ts'
import { anyPath, anyText } from './any-text.ts'

const phone = 'phone-42' as SaleId
const known = locationWith({ [entryKey(phone)]: '' })

const answer = z.strictObject({
  statusCode: z.number(),
  statusDescription: z.string(),
  headers: z.record(z.string(), z.strictObject({ value: z.string() })),
  body: z.optional(z.strictObject({ encoding: z.literal('text'), data: z.string() })),
})

type Visit = { query?: string; method?: string; store?: EdgeLocation; wanted?: string }

/** The path of the object that the request is passed on for, or the answer. */
async function visit(uri: string, { query = '', method = 'GET', store = known, wanted }: Visit = {}) {
  const run = await loadViewerFunction(`${dist}/edge/site-paths.js`, store)
  const rawHeaders = wanted === undefined ? [] : ['Accept-Language', wanted]
  const event = viewerEvent({ ip: '203.0.113.7', method, url: `?${query}`, rawHeaders })
  // Set apart from the query: a path may hold any character here.
  event.request.uri = uri
  const returned = await run(event)
  if (returned === event.request) return { uri: event.request.uri }
  const { statusCode, headers, body } = answer.parse(returned)
  const texts = Object.fromEntries(Object.entries(headers).map(([name, { value }]) => [name, value]))
  return { statusCode, headers: texts, body: body?.data }
}

const pageIn = (language: string) => renderMissingPage(language).replaceAll(/\n+/g, '\n')

describe('the page paths', () => {
  it.each([
    ['/', '/index.html'],
    ['/sales/phone-42/', '/sales/phone-42/index.html'],
    ['/orders/', '/orders/index.html'],
    ['/sales/phone-42/current.json', '/sales/phone-42/current.json'],
    ['/sales/phone-42/countdown.7.js', '/sales/phone-42/countdown.7.js'],
    ['/assets/shop.1f2e3d4c.css', '/assets/shop.1f2e3d4c.css'],
  ])('map %s to the object %s (C1, C2)', async (uri, stored) => {
    expect(await visit(uri)).toEqual({ uri: stored })
  })

  it('read the store once for the page of a sale and once for its countdown, as the preflight counts it', async () => {
    let reads = 0
    const store: EdgeLocation = {
      ...known,
      get(key) {
        reads += 1
        return known.get(key)
      },
    }
    const load = ['/sales/phone-42/', '/assets/shop.1f2e3d4c.css', '/sales/phone-42/countdown.7.js']
    for (const uri of load) await visit(uri, { store })
    expect(reads).toBe(objectReads.firstLoad)
    await visit('/sales/phone-42/', { store })
    expect(reads).toBe(objectReads.firstLoad + objectReads.laterLoad)
    await visit('/sales/phone-42/countdown.8.js', { store })
    expect(reads).toBe(objectReads.firstLoad + objectReads.laterLoad + objectReads.flip)
  })

  it('redirect a page without its slash to the one with it, including the query', async () => {
    expect(await visit('/sales/phone-42')).toMatchObject({ statusCode: 301, headers: { location: '/sales/phone-42/' } })
    expect(await visit('/orders', { query: 'id=a%26b&x=1&x=2' })).toMatchObject({
      headers: { location: '/orders/?id=a%26b&x=1&x=2' },
    })
  })

  it.each(['//evil.example', '//evil.example/sales', '/\\evil.example', '/%2f/evil', '/a//b', '/https:evil', 'evil'])(
    'never redirect to another site, not from %s',
    async (uri) => {
      expect(await visit(uri)).toMatchObject({ statusCode: 404 })
      expect((await visit(uri)).headers).not.toHaveProperty('location')
    },
  )

  it('pass on every file of the build, those of former builds, and the name of the release', async () => {
    const files = readdirSync(join(dist, 'site'), { recursive: true, withFileTypes: true })
    const built = files
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(join(dist, 'site').length))
    expect(built.length).toBeGreaterThan(20)
    for (const uri of [...built, '/assets/gone.0A1B2C3D.js', `/${releaseFile}`])
      expect(await visit(uri, { store: emptyLocation() })).toEqual({ uri })
  })

  it('pass on every object of a sale that the store has, and of no other sale', async () => {
    const paths = (id: SaleId) => [pagePath(id), pointerPath(id), countdownPath(id, 1), countdownJsonPath(id, 123_456)]
    for (const path of paths(phone)) expect(await visit(`/${path}`)).toEqual({ uri: `/${path}` })
    for (const path of paths('phone-43' as SaleId))
      expect(await visit(`/${path}`), path).toMatchObject({ statusCode: 404 })
  })

  it('pass on the objects of every sale while the store is unreachable', async () => {
    const down = () => {
      throw new Error('unreachable')
    }
    const store = { get: down }
    expect(await visit('/sales/any-sale/', { store })).toEqual({ uri: '/sales/any-sale/index.html' })
    expect(await visit('/nothing.html', { store })).toMatchObject({ statusCode: 404 })
  })
})

describe('an unknown path', () => {
  it.each([
    '/nothing.html',
    '/wp-login.php',
    '/.env',
    '/orders/1/',
    '/ORDERS/',
    '/orders/%2e%2e/',
    '/assets/',
    '/assets/../orders/index.html',
    '/assets/pictures/../../x.js',
    '/sales/',
    '/sales/phone-42/other.js',
    '/sales/phone-42/countdown.x.js',
    '/sales/PHONE-42/',
    '/sales/phone-42/current.json/',
    '/index.html\n',
  ])('is answered with our page, whole and never cached: %s', async (uri) => {
    const { statusCode, headers, body = '' } = await visit(uri)
    expect(statusCode).toBe(404)
    expect(headers).toEqual({ ...pageHeaders, 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
    expect(body).toBe(pageIn('en'))
  })

  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['nl, zh-TW;q=0.8', 'zh-CN'],
    ['zh-cn', 'zh-CN'],
    ['AR', 'ar'],
    ['*', 'en'],
    [';,-,constructor,__proto__', 'en'],
  ])('is answered to a browser that prefers %s in %s', async (wanted, language) => {
    expect((await visit('/nothing.html', { wanted })).body).toBe(pageIn(language))
  })

  it('is answered with a problem document where JSON is asked for: a client without a browser reads no page', async () => {
    for (const uri of ['/sales/mug/countdown.9.json', '/x.json']) {
      const { statusCode, headers, body = '' } = await visit(uri)
      expect(statusCode).toBe(404)
      expect(headers).toMatchObject({ 'content-type': 'application/problem+json' })
      expect(JSON.parse(body)).toEqual({
        type: 'urn:sluice:problem:not-found',
        title: 'Not found',
        status: 404,
        code: 'not-found',
        detail: 'No such object.',
      })
    }
  })

  it('has no body for HEAD, and the same status and headers', async () => {
    const [whole, head] = [await visit('/x.html'), await visit('/x.html', { method: 'HEAD' })]
    expect(head).toEqual({ ...whole, body: undefined })
  })

  it('never makes the function throw', async () => {
    const run = await loadViewerFunction(`${dist}/edge/site-paths.js`, known)
    const uris = fc.oneof(anyText, anyPath)
    await fc.assert(
      fc.asyncProperty(uris, fc.webQueryParameters(), async (uri, query) => {
        const event = viewerEvent({ ip: '203.0.113.7', method: 'GET', url: `?${query}`, rawHeaders: [] })
        event.request.uri = uri
        const returned = await run(event)
        if (returned !== event.request) answer.parse(returned)
      }),
    )
  })
})

describe('the page of a sale that the store does not have yet', () => {
  const page = '/sales/new-sale/'

  it('reloads itself twice, since edge locations have a new sale some seconds later', async () => {
    const seen: (string | undefined)[] = []
    let query = ''
    for (let i = 0; i < 3; i++) {
      const { refresh } = (await visit(page, { query })).headers ?? {}
      seen.push(refresh)
      query = refresh?.replace(/^5; url=\?/, '') ?? ''
    }
    expect(seen).toEqual(['5; url=?reload=1', '5; url=?reload=2', undefined])
  })

  it.each(['reload=2', 'reload=0', 'reload=x', 'reload=9', 'reload='])(
    'does not begin again with %s',
    async (query) => {
      expect((await visit(page, { query })).headers).not.toHaveProperty('refresh')
    },
  )

  it('leaves its parts and other paths as they are', async () => {
    for (const uri of ['/sales/new-sale/current.json', '/sales/new-sale/countdown.1.js', '/x.html'])
      expect((await visit(uri)).headers).not.toHaveProperty('refresh')
  })
})

describe('the page for unknown paths', () => {
  it('is marked with its language, and links to the shop and to the orders', async () => {
    const { body = '' } = await visit('/x.html', { wanted: 'ar' })
    expect(body).toContain('<html lang="ar" dir="rtl">')
    expect([...body.matchAll(/<a class="button[^"]*" href="([^"]+)"/g)].map(([, address]) => address)).toEqual([
      '/',
      '/orders/',
    ])
  })

  it('loads nothing with a versioned name, nothing of other sites, and nothing that the policy forbids', async () => {
    const { body = '' } = await visit('/x.html')
    const asked = [...body.matchAll(/<(?:link|img|script)[^>]*(?:href|src)="([^"]+)"/g)].map(([, address]) => address)
    expect(asked).toEqual(['/assets/pictures/icon.svg', '/assets/plain.css'])
    expect(body).not.toMatch(/<script|<style|style="|\son\w+=/)
  })
})
