/**
 * Checks without a session, which store nothing: the page with its headers, the clock, missing objects, and three POSTs.
 * The gate answers two of these. The third reaches a function: CloudFront signs it, which needs the hash of its body, and
 * no GET would show that the hash is missing.
 */
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import { pageHeaders, strictTransportSeconds } from '../../system/site-headers.ts'
import { missingMessages } from '../../templates/messages/catalogues.ts'
import { words } from '../../templates/messages/text.ts'
import { hintFor } from './diagnosis.ts'
import { failed, ok, type SmokeCheck, skipped } from './finding.ts'
import { isFromGate, type Pause, problemCodeOf, type SendRequest, type SmokeReply, summarizeReply } from './request.ts'

export function pageChecks(url: URL, request: SendRequest, pause: Pause): SmokeCheck[] {
  return [
    redirectCheck(url, request),
    policyCheck(url, request),
    compressionCheck(request),
    clockCheck(request, pause),
    missingObjectCheck(request, pause),
    missingPageCheck(request),
  ]
}

/** The first check: without an answer the others are not tried. */
export const pageCheck = (request: SendRequest): SmokeCheck => ({
  name: 'GET /',
  expected: '200 text/html',
  async run() {
    const reply = await request('/')
    const type = reply.headers.get('content-type') ?? 'no content-type'
    if (reply.status !== 200) return failed(summarizeReply(reply))
    return type.startsWith('text/html') ? ok(`200 ${type}`) : failed(`200 ${type}`)
  },
})

const redirectCheck = (url: URL, request: SendRequest): SmokeCheck => ({
  name: 'plain http',
  expected: `a redirect to https://${url.host}/`,
  async run() {
    if (url.protocol === 'http:') return skipped('a local shop uses plain http')
    const { status, headers } = await request(`http://${url.hostname}/`)
    const received = `${status} to ${headers.get('location') ?? 'nowhere'}`
    const isRight = [301, 302, 307, 308].includes(status) && headers.get('location') === `https://${url.host}/`
    return isRight ? ok(received) : failed(received, 'Is the viewer protocol policy redirect-to-https?')
  },
})

const policyCheck = (url: URL, request: SendRequest): SmokeCheck => ({
  name: 'security headers of the page',
  expected: 'the strict policy of system/site-headers.ts in all of them',
  async run() {
    const { headers } = await request('/')
    const wrong = Object.entries(pageHeaders)
      .filter(([name, value]) => headers.get(name) !== value)
      .map(([name]) => `${name}: ${headers.get(name) ?? 'none'}`)
    if (url.protocol === 'https:' && !isLongTransport(headers)) {
      wrong.push(`strict-transport-security: ${headers.get('strict-transport-security') ?? 'none'}`)
    }
    if (wrong.length === 0) return ok('as expected')
    return failed(wrong.join('; '), 'Is the response headers policy attached to the behaviour of the pages?')
  },
})

function isLongTransport(headers: Headers): boolean {
  const seconds = /(?:^|;)\s*max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '')?.[1]
  return seconds !== undefined && Number(seconds) >= strictTransportSeconds
}

const compressionCheck = (request: SendRequest): SmokeCheck => ({
  name: 'compression of the page',
  expected: 'content-encoding br or gzip',
  async run() {
    const { headers } = await request('/', { headers: { 'accept-encoding': 'br, gzip' } })
    const encoding = headers.get('content-encoding')
    const hint = 'Does the behaviour compress, and does its cache policy accept gzip and brotli?'
    return encoding === 'br' || encoding === 'gzip' ? ok(encoding) : failed(encoding ?? 'none', hint)
  },
})

/** Two synchronised clocks differ by less. */
const clockToleranceMs = 5000

const time = z.object({ now: z.number() })

const clockCheck = (request: SendRequest, pause: Pause): SmokeCheck => ({
  name: 'GET /api/time',
  expected: 'the current time, not cached',
  async run() {
    const [askedAt, first] = [Date.now(), await request('/api/time')]
    const answeredAt = Date.now()
    await pause(20)
    const second = await request('/api/time')
    const [here, later] = [timeIn(first), timeIn(second)]
    if (here === undefined || later === undefined) return failed(summarizeReply(first))
    const control = first.headers.get('cache-control') ?? 'none'
    if (!control.includes('no-store')) return failed(`cache-control: ${control}`)
    if (later <= here) return failed('the same time twice', 'A cache answered.')
    const offMs = here < askedAt ? here - askedAt : Math.max(0, here - answeredAt)
    const off = `${(offMs / 1000).toFixed(1)} s off the clock of this machine`
    if (Math.abs(offMs) <= clockToleranceMs) return ok(`${off}, not cached`)
    return failed(off, 'One of the two clocks is wrong, or a cache answered.')
  },
})

function timeIn({ status, text }: SmokeReply): number | undefined {
  const read = readJson(time, text)
  return status === 200 && read.ok ? read.value.now : undefined
}

/** A page that requests an object too early must find it soon after. */
const maxCachedSeconds = 1

const missingObjectCheck = (request: SendRequest, pause: Pause): SmokeCheck => ({
  name: 'a missing object',
  expected: `404 or 403, cached for at most ${maxCachedSeconds} s`,
  async run() {
    const path = `/sales/smoke-${Date.now().toString(36)}/current.json`
    const first = await request(path)
    if (first.status !== 404 && first.status !== 403) return failed(summarizeReply(first))
    await pause((maxCachedSeconds + 1) * 1000)
    const second = await request(path)
    const age = Number(second.headers.get('age') ?? 0)
    if (second.status !== first.status) return failed(`${first.status}, then ${summarizeReply(second)}`)
    if (age <= maxCachedSeconds) return ok(`${first.status}, requested again after ${maxCachedSeconds} s`)
    return failed(`${first.status}, cached for ${age} s`, 'Set the error caching minimum TTL of 403 and 404.')
  },
})

/** Checks a missing page; the check before it requests a pointer, which a script reads. */
const missingPageCheck = (request: SendRequest): SmokeCheck => ({
  name: 'a missing page',
  expected: '404 text/html, a page of ours, not cached',
  async run() {
    const reply = await request(`/sales/smoke-${Date.now().toString(36)}/`)
    if (reply.status !== 404) return failed(summarizeReply(reply))
    const type = reply.headers.get('content-type') ?? 'no content-type'
    const isOurs = type.startsWith('text/html') && reply.text.includes(words(missingMessages['missing.title'], 'en'))
    const hint = 'Is the function site-paths attached to the default behaviour, at viewer-request?'
    if (!isOurs) return failed(`${summarizeReply(reply)} (${type})`, hint)
    const control = reply.headers.get('cache-control') ?? 'none'
    return control === 'no-store' ? ok(`404 ${type}`) : failed(`404 ${type}, cache-control: ${control}`)
  },
})

export const postChecks = (request: SendRequest): SmokeCheck[] => [
  refusalCheck(request, 'POST to an unknown address', 404, 'not-found', '/api/nothing-here', {}),
  refusalCheck(request, 'POST of an order without a session', 401, 'sign-in-required', '/api/sales/smoke-test/orders', {
    quantity: 1,
  }),
  signatureCheck(request),
]

/** Checks that the shop refuses a POST with that status and problem. */
const refusalCheck = (
  request: SendRequest,
  name: string,
  status: number,
  code: string,
  path: string,
  body: object,
): SmokeCheck => ({
  name,
  expected: `${status} ${code}`,
  async run() {
    const reply = await request(path, { method: 'POST', body })
    const isRight = reply.status === status && problemCodeOf(reply) === code
    return isRight ? ok(summarizeReply(reply)) : failed(summarizeReply(reply), hintFor(reply))
  },
})

/** The POST is well-formed, so that the gate forwards it, but its signature is wrong. */
const signatureCheck = (request: SendRequest): SmokeCheck => ({
  name: 'POST that reaches a function (webhook with a wrong signature)',
  expected: '401 signature-invalid, from the function payments',
  async run() {
    const reply = await request('/api/payments/webhook', {
      method: 'POST',
      body: { type: 'smoke.test', timestamp: new Date().toISOString(), data: { text: 'naïve ✓' } },
      headers: {
        'webhook-id': `smoke_${randomUUID()}`,
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      },
    })
    if (reply.status !== 401 || problemCodeOf(reply) !== 'signature-invalid') {
      return failed(summarizeReply(reply), hintFor(reply))
    }
    if (!isFromGate(reply)) return ok(`${summarizeReply(reply)}, from the function`)
    return failed(`${summarizeReply(reply)}, from the gate`, 'Gate and smoke test have different versions.')
  },
})
