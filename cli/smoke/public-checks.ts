/**
 * Checks without a session, which store nothing: the page with its headers, the clock, missing objects, and three
 * POSTs. Two of these end at the gate. The third reaches a function: CloudFront signs it, which needs the hash of its
 * body, and no GET would show that the hash is missing.
 */
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import { pageHeaders, strictTransportSeconds } from '../../system/site-headers.ts'
import { missingMessages } from '../../templates/messages/catalogues.ts'
import { words } from '../../templates/messages/text.ts'
import { type Ask, gistOf, isFromGate, type Pause, problemCodeOf, type Reply } from './ask.ts'
import { hintFor } from './diagnosis.ts'
import { type Check, failed, ok, skipped } from './finding.ts'

export function pageChecks(url: URL, ask: Ask, pause: Pause): Check[] {
  return [
    redirect(url, ask),
    policies(url, ask),
    compression(ask),
    clock(ask, pause),
    missing(ask, pause),
    missingPage(ask),
  ]
}

/** The first check: without an answer the others are not tried. */
export const pageAnswers = (ask: Ask): Check => ({
  name: 'GET /',
  expected: '200 text/html',
  async run() {
    const reply = await ask('/')
    const type = reply.headers.get('content-type') ?? 'no content-type'
    if (reply.status !== 200) return failed(gistOf(reply))
    return type.startsWith('text/html') ? ok(`200 ${type}`) : failed(`200 ${type}`)
  },
})

const redirect = (url: URL, ask: Ask): Check => ({
  name: 'plain http',
  expected: `a redirect to https://${url.host}/`,
  async run() {
    if (url.protocol === 'http:') return skipped('a local shop uses plain http')
    const { status, headers } = await ask(`http://${url.hostname}/`)
    const came = `${status} to ${headers.get('location') ?? 'nowhere'}`
    const isRight = [301, 302, 307, 308].includes(status) && headers.get('location') === `https://${url.host}/`
    return isRight ? ok(came) : failed(came, 'Is the viewer protocol policy redirect-to-https?')
  },
})

const policies = (url: URL, ask: Ask): Check => ({
  name: 'security headers of the page',
  expected: 'the strict policy of system/site-headers.ts in all of them',
  async run() {
    const { headers } = await ask('/')
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

const compression = (ask: Ask): Check => ({
  name: 'compression of the page',
  expected: 'content-encoding br or gzip',
  async run() {
    const { headers } = await ask('/', { headers: { 'accept-encoding': 'br, gzip' } })
    const encoding = headers.get('content-encoding')
    const hint = 'Does the behaviour compress, and does its cache policy accept gzip and brotli?'
    return encoding === 'br' || encoding === 'gzip' ? ok(encoding) : failed(encoding ?? 'none', hint)
  },
})

/** Two synchronised clocks differ by less. */
const clockToleranceMs = 5000

const time = z.object({ now: z.number() })

const clock = (ask: Ask, pause: Pause): Check => ({
  name: 'GET /api/time',
  expected: 'the current time, not cached',
  async run() {
    const [askedAt, first] = [Date.now(), await ask('/api/time')]
    const answeredAt = Date.now()
    await pause(20)
    const second = await ask('/api/time')
    const [here, later] = [timeIn(first), timeIn(second)]
    if (here === undefined || later === undefined) return failed(gistOf(first))
    const control = first.headers.get('cache-control') ?? 'none'
    if (!control.includes('no-store')) return failed(`cache-control: ${control}`)
    if (later <= here) return failed('the same time twice', 'A cache answered.')
    const offMs = here < askedAt ? here - askedAt : Math.max(0, here - answeredAt)
    const off = `${(offMs / 1000).toFixed(1)} s off the clock of this machine`
    if (Math.abs(offMs) <= clockToleranceMs) return ok(`${off}, not cached`)
    return failed(off, 'One of the two clocks is wrong, or a cache answered.')
  },
})

function timeIn({ status, text }: Reply): number | undefined {
  const read = readJson(time, text)
  return status === 200 && read.ok ? read.value.now : undefined
}

/** A page that requests an object too early must find it soon after. */
const maxCachedSeconds = 1

const missing = (ask: Ask, pause: Pause): Check => ({
  name: 'a missing object',
  expected: `404 or 403, cached for at most ${maxCachedSeconds} s`,
  async run() {
    const path = `/sales/smoke-${Date.now().toString(36)}/current.json`
    const first = await ask(path)
    if (first.status !== 404 && first.status !== 403) return failed(gistOf(first))
    await pause((maxCachedSeconds + 1) * 1000)
    const second = await ask(path)
    const age = Number(second.headers.get('age') ?? 0)
    if (second.status !== first.status) return failed(`${first.status}, then ${gistOf(second)}`)
    if (age <= maxCachedSeconds) return ok(`${first.status}, requested again after ${maxCachedSeconds} s`)
    return failed(`${first.status}, cached for ${age} s`, 'Set the error caching minimum TTL of 403 and 404.')
  },
})

/** A page: the pointer of the check before is read by a script. */
const missingPage = (ask: Ask): Check => ({
  name: 'a missing page',
  expected: '404 text/html, a page of ours, not cached',
  async run() {
    const reply = await ask(`/sales/smoke-${Date.now().toString(36)}/`)
    if (reply.status !== 404) return failed(gistOf(reply))
    const type = reply.headers.get('content-type') ?? 'no content-type'
    const isOurs = type.startsWith('text/html') && reply.text.includes(words(missingMessages['missing.title'], 'en'))
    const hint = 'Is the function site-paths attached to the default behaviour, at viewer-request?'
    if (!isOurs) return failed(`${gistOf(reply)} (${type})`, hint)
    const control = reply.headers.get('cache-control') ?? 'none'
    return control === 'no-store' ? ok(`404 ${type}`) : failed(`404 ${type}, cache-control: ${control}`)
  },
})

export const postChecks = (ask: Ask): Check[] => [
  refused(ask, 'POST to an unknown address', 404, 'not-found', '/api/nothing-here', {}),
  refused(ask, 'POST of an order without a session', 401, 'sign-in-required', '/api/sales/smoke-test/orders', {
    quantity: 1,
  }),
  wrongSignature(ask),
]

/** A POST that the shop refuses with that status and that problem. */
const refused = (ask: Ask, name: string, status: number, code: string, path: string, body: object): Check => ({
  name,
  expected: `${status} ${code}`,
  async run() {
    const reply = await ask(path, { method: 'POST', body })
    const isRight = reply.status === status && problemCodeOf(reply) === code
    return isRight ? ok(gistOf(reply)) : failed(gistOf(reply), hintFor(reply))
  },
})

/** Well-formed, so that the gate forwards it, and signed without a secret. */
const wrongSignature = (ask: Ask): Check => ({
  name: 'POST that reaches a function (webhook with a wrong signature)',
  expected: '401 signature-invalid, from the function payments',
  async run() {
    const reply = await ask('/api/payments/webhook', {
      method: 'POST',
      body: { type: 'smoke.test', timestamp: new Date().toISOString(), data: { text: 'naïve ✓' } },
      headers: {
        'webhook-id': `smoke_${randomUUID()}`,
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      },
    })
    if (reply.status !== 401 || problemCodeOf(reply) !== 'signature-invalid') {
      return failed(gistOf(reply), hintFor(reply))
    }
    if (!isFromGate(reply)) return ok(`${gistOf(reply)}, from the function`)
    return failed(`${gistOf(reply)}, from the gate`, 'Gate and smoke test have different versions.')
  },
})
