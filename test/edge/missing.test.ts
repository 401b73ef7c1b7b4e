/** The deployed function that makes the page for missing objects. */
import type { CloudFrontResponseEvent } from 'aws-lambda'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { dist, missingBundleLimitBytes, refuseHeavyBundle } from '../../build.ts'
import { loadMissingFunction, type ResponseFunction } from '../../local/cdn/edge-function.ts'
import { illegalResponseHeader } from '../../local/cdn/headers.ts'
import { missingMessages } from '../../static/messages/missing.ts'

let handler: ResponseFunction
beforeAll(async () => {
  handler = await loadMissingFunction(dist)
})

/** S3's answer for a missing object, as CloudFront passes it on. */
const ofTheBucket = {
  'content-type': [{ key: 'Content-Type', value: 'application/xml' }],
  'content-length': [{ key: 'Content-Length', value: '321' }],
  'content-encoding': [{ key: 'Content-Encoding', value: 'gzip' }],
  'transfer-encoding': [{ key: 'Transfer-Encoding', value: 'chunked' }],
  via: [{ key: 'Via', value: '1.1 x.cloudfront.net (CloudFront)' }],
  etag: [{ key: 'ETag', value: '"1"' }],
  'last-modified': [{ key: 'Last-Modified', value: 'Fri, 20 Nov 2026 16:44:57 GMT' }],
  'x-amz-request-id': [{ key: 'x-amz-request-id', value: '0' }],
  'x-amz-id-2': [{ key: 'x-amz-id-2', value: '0' }],
  'x-amz-error-code': [{ key: 'x-amz-error-code', value: 'NoSuchKey' }],
}

function answered(status: string, method = 'GET', uri = '/nothing/index.html'): CloudFrontResponseEvent {
  const config = {
    distributionDomainName: 'd.cloudfront.net',
    distributionId: 'E1',
    eventType: 'origin-response' as const,
    requestId: '1',
  }
  const request = { clientIp: '192.0.2.1', method, uri, querystring: '', headers: {} }
  const response = { status, statusDescription: '', headers: structuredClone(ofTheBucket) }
  return { Records: [{ cf: { config, request, response } }] }
}

/** Pairs of the headers that must come back unchanged, or CloudFront answers 502. */
const readOnly = ['transfer-encoding', 'chunked', 'via', '1.1 x.cloudfront.net (CloudFront)']

describe('a missing object', () => {
  it.each(['404', '403'])(
    'is answered with our page where S3 answers %s: 404, HTML, never cached',
    async (status) => {
      const page = await handler(answered(status))
      expect(page).toMatchObject({ status: '404', bodyEncoding: 'text' })
      expect(page.headers?.['content-type']).toEqual([
        { key: 'Content-Type', value: 'text/html; charset=utf-8' },
      ])
      expect(page.headers?.['cache-control']).toEqual([{ key: 'Cache-Control', value: 'no-store' }])
      expect(page.body).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
      for (const words of Object.values(missingMessages).flat()) expect(page.body).toContain(words)
    },
  )

  it('is answered with a problem document where JSON is asked for: a client without a browser reads no page', async () => {
    const answer = await handler(answered('403', 'GET', '/sales/mug/countdown.9.json'))
    expect(answer.status).toBe('404')
    expect(answer.headers?.['content-type']).toEqual([
      { key: 'Content-Type', value: 'application/problem+json' },
    ])
    expect(JSON.parse(answer.body ?? '')).toEqual({
      type: 'urn:sluice:problem:not-found',
      title: 'Not found',
      status: 404,
      code: 'not-found',
      detail: 'No such object.',
    })
  })

  it('keeps no header about the XML, and the read-only ones unchanged', async () => {
    const { headers = {} } = await handler(answered('404'))
    expect(Object.keys(headers).toSorted()).toEqual([
      'cache-control',
      'content-type',
      'transfer-encoding',
      'via',
    ])
    expect(illegalResponseHeader(headers, readOnly)).toBeUndefined()
  })

  it('adds none of them where the bucket sent none', async () => {
    const event = answered('404')
    const [record] = event.Records
    if (record !== undefined) record.cf.response.headers = {}
    const { headers = {} } = await handler(event)
    expect(Object.keys(headers).toSorted()).toEqual(['cache-control', 'content-type'])
    expect(illegalResponseHeader(headers, [])).toBeUndefined()
  })

  it('has no body for HEAD, and the same status and headers', async () => {
    const [whole, head] = await Promise.all([handler(answered('404')), handler(answered('404', 'HEAD'))])
    expect(head.body).toBeUndefined()
    expect([head.status, head.headers]).toEqual([whole.status, whole.headers])
  })
})

describe('every other answer', () => {
  it.each(['200', '206', '304', '412', '416', '500', '503'])('is passed on unchanged: %s', async (status) => {
    const event = answered(status)
    const before = structuredClone(event)
    expect(await handler(event)).toBe(event.Records[0]?.cf.response)
    expect(event).toEqual(before)
  })

  it('is passed on in every shape, and no event makes the function throw', async () => {
    const run = handler as (event: unknown) => Promise<unknown>
    const withResponse = (response: unknown) => ({ Records: [{ cf: { response } }] })
    for (const response of [
      '404',
      404,
      null,
      [],
      { status: 404 },
      { status: '404' },
      { status: '404', headers: null },
    ])
      expect(await run(withResponse(response))).toBe(response)
    for (const event of [
      undefined,
      null,
      0,
      '',
      [],
      {},
      { Records: null },
      { Records: [] },
      { Records: [null] },
    ])
      expect(await run(event)).toBeUndefined()
    const odd = fc.record({ status: fc.constantFrom('404', '403', '200'), headers: fc.anything() })
    const anything = fc.oneof(fc.anything(), fc.anything().map(withResponse), odd.map(withResponse))
    await fc.assert(fc.asyncProperty(anything, (event) => run(event).then(() => true)))
  })
})

describe('the page', () => {
  it('is in both languages, each marked as such, and links to the shop and to the orders', async () => {
    const { body = '' } = await handler(answered('404'))
    expect([...body.matchAll(/<section lang="([^"]+)">/g)].map(([, language]) => language)).toEqual([
      'en',
      'zh-CN',
    ])
    expect(
      [...body.matchAll(/<a class="button[^"]*" href="([^"]+)"/g)].map(([, address]) => address),
    ).toEqual(['/', '/orders/', '/', '/orders/'])
  })

  it('loads nothing with a versioned name, nothing of other sites, and nothing that the policy forbids', async () => {
    const { body = '' } = await handler(answered('404'))
    const asked = [...body.matchAll(/<(?:link|img|script)[^>]*(?:href|src)="([^"]+)"/g)].map(
      ([, address]) => address,
    )
    expect(asked).toEqual(['/assets/pictures/icon.svg', '/assets/plain.css'])
    expect(body).not.toMatch(/<script|<style|style="|\son\w+=/)
  })

  it('comes in a bundle of at most 10 kB, and the build refuses a larger one', () => {
    expect(missingBundleLimitBytes).toBe(10_000)
    expect(() => refuseHeavyBundle('edge-missing/handler.mjs', 10_001)).toThrow('10001 bytes')
  })
})

it('has no callback, which Lambda’s Node 24 refuses', () => {
  expect(handler.length).toBeLessThan(3)
})
