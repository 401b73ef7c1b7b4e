/**
 * The shipped CloudFront Functions in a real njs, with the answers that they give in Node. It is the engine
 * that CloudFront's runtime is based on, and knows less JavaScript than Node does.
 */
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dist } from '../../build.ts'
import { entryKey, entryText, passKeysKey, soldOutForMs } from '../../core/gate/edge-entry.ts'
import { dayOf, passKeysText, passLifeSeconds } from '../../core/gate/pass.ts'
import { entryOf } from '../../functions/sales/publishing/edge-entries.ts'
import { loadViewerFunction, viewerEvent } from '../../local/cdn/viewer-function.ts'
import { findNjs, runInNjs } from './njs.ts'
import { openSaleFacts, orderId, passOf, saleId, startOfTests } from './support.ts'

const njs = await findNjs()
const reason = 'missing' in njs ? njs.missing : ''
if (reason !== '') console.warn(`The functions of the edge are not run in njs: ${reason}.`)

const now = startOfTests
const keys = new Map([[dayOf(now / 1000 + passLifeSeconds), 'the-key-of-this-day']])
const pass = passOf(keys, now)
const idOf = (name: string) => `${saleId}-${name}`

const listKey = 'the-key-of-the-list'

/** A sale in each state, by the end of its id. */
const on = { ...openSaleFacts, rules: { ...openSaleFacts.rules, requirePass: 'on' as const } }
const spread = { ...on, startsAt: now, rules: { ...on.rules, spreadSeconds: 300 } }
const sales: Record<string, string> = {
  open: entryText(entryOf(on, null)),
  'no-pass': entryText(entryOf(openSaleFacts, null)),
  paused: entryText(entryOf({ ...on, flag: 'paused' }, null)),
  off: entryText(entryOf({ ...on, flag: 'off' }, null)),
  closed: entryText(entryOf({ ...on, flag: 'closed' }, null)),
  frozen: entryText(entryOf({ ...on, frozen: true }, null)),
  'sold-out': entryText(entryOf(on, now - 1000)),
  'long-sold-out': entryText(entryOf(on, now - soldOutForMs)),
  spread: entryText(entryOf(spread, null)),
  offers: entryText(entryOf(on, null, listKey)),
}
const store = new Map([
  ...Object.entries(sales).map(([name, text]): [string, string] => [entryKey(saleIdOf(name)), text]),
  [passKeysKey, passKeysText(keys)] as const,
])

function hmacOf(text: string): string {
  return createHmac('sha256', listKey).update(text).digest('base64url')
}

function saleIdOf(name: string) {
  return idOf(name) as typeof saleId
}

type Ask = { method: string; uri: string; headers: Record<string, string> }

/** Builds the event as a plain object for both engines. */
function eventFor({ method, uri, headers }: Ask) {
  const rawHeaders = Object.entries(headers).flat()
  const { request, ...event } = viewerEvent({ ip: '203.0.113.7', method, url: '', rawHeaders })
  const { headers: given, cookies, querystring } = request
  return { ...event, request: { method, uri, headers: given, cookies, querystring } }
}

const bearer = { authorization: 'Bearer a.b.c' }
const clicks = [...Object.keys(sales), 'unknown'].flatMap((name) =>
  ['orders', 'packets'].flatMap((last) =>
    [undefined, pass, `${pass.slice(0, -4)}AAAA`].flatMap((given) =>
      [undefined, '999999999.0', `${openSaleFacts.version + 1}.${now}`].map((seen) => ({
        method: 'POST',
        uri: `/api/sales/${idOf(name)}/${last}`,
        headers: { ...bearer, ...(given && { 'x-sluice-pass': given }), ...(seen && { 'x-sluice-seen': seen }) },
      })),
    ),
  ),
)
const offered = [hmacOf(pass.split('.')[1] ?? ''), hmacOf('another-shopper.'), ''].map((proof) => ({
  ...{ method: 'POST', uri: `/api/sales/${idOf('offers')}/orders` },
  headers: { ...bearer, 'x-sluice-pass': pass, cookie: `sluice_invited=${proof}` },
}))
const paths = [
  ...['/api/time', '/api/pass', '/api/wallet', `/api/orders/${orderId}`, '/api/sign-in', '/api/none'],
  ...['/api/payments/webhook', '/api/control/sales', `/api/sales/${saleId}/orders`, '/api/%2e%2e/control/a'],
  ...['/api/control/blocklist/ip/10.0.0.0/8', '/api/unsubscribe', '/api/contact', '/api/orders/../wallet'],
]
const heads = paths.flatMap((uri) =>
  ['GET', 'POST', 'PUT', 'TRACE', 'OPTIONS'].flatMap((method) =>
    [
      {},
      bearer,
      { ...bearer, 'content-length': '2', 'content-type': 'application/json' },
      { ...bearer, 'content-length': '2', 'content-type': 'text/plain' },
      { ...bearer, 'content-length': '999999999' },
      { ...bearer, origin: 'https://host.example' },
    ].map((headers) => ({ method, uri, headers })),
  ),
)
const pages = ['/', '/sales/phone-42/', '/sales/phone-42', '/orders', '/console/', '/assets/a.js', '/nothing/here']

/** Drops undefined members, which JSON does not have. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

async function inNode(name: string, events: readonly object[]): Promise<unknown[]> {
  const run = await loadViewerFunction(`${dist}/edge/${name}`, { get: (key) => store.get(key) }, () => now)
  const answers: unknown[] = []
  for (const event of events) answers.push(plain(await run(structuredClone(event) as never)))
  return answers
}

async function inNjs(name: string, events: readonly object[], rounds = 0) {
  if ('missing' in njs) throw new Error(njs.missing)
  return runInNjs(njs, name, events, { store, now }, rounds)
}

describe.skipIf('missing' in njs)(`the shipped functions in njs${reason && ` (skipped: ${reason})`}`, () => {
  it('answer clicks in every state of a sale as in Node: phases, sold out, passes, offers, turns, claims (L6)', async () => {
    const events = [...clicks, ...offered].map(eventFor)
    const { answers } = await inNjs('pre-gate.js', events)
    expect(answers).toEqual(await inNode('pre-gate.js', events))
    const statuses = new Set(answers.map((answer) => (answer as { statusCode?: number }).statusCode))
    expect([...statuses].map(String).toSorted()).toEqual(['401', '403', '409', '410', '425', 'undefined'])
  })

  it('answer every head of a request as in Node (L6)', async () => {
    const events = heads.map(eventFor)
    const { answers } = await inNjs('pre-gate.js', events)
    expect(answers).toEqual(await inNode('pre-gate.js', events))
    const statuses = new Set(answers.map((answer) => (answer as { statusCode?: number }).statusCode))
    expect([...statuses].map(String).toSorted()).toEqual(['200', '204', '401', '404', '405', '413', '415', 'undefined'])
  })

  it('find pages as in Node', async () => {
    const events = pages.map((uri) => eventFor({ method: 'GET', uri, headers: {} }))
    const { answers } = await inNjs('site-paths.js', events)
    expect(answers).toEqual(await inNode('site-paths.js', events))
  })

  it('add the time to a response as in Node (C5)', async () => {
    const event = { ...eventFor({ method: 'GET', uri: '/x', headers: {} }), response: { statusCode: 200, headers: {} } }
    const { answers } = await inNjs('clock.js', [event])
    expect(answers).toEqual(await inNode('clock.js', [event]))
    expect(JSON.stringify(answers)).toContain(String(now))
  })

  // CloudFront stops a function after about a millisecond of its time.
  it('take far less than a millisecond for the longest way: a click with a pass before its turn', async () => {
    const click = eventFor({
      method: 'POST',
      uri: `/api/sales/${idOf('spread')}/orders`,
      headers: { ...bearer, 'x-sluice-pass': pass },
    })
    const { answers, microseconds } = await inNjs('pre-gate.js', [click], 2000)
    expect(answers).toEqual([expect.objectContaining({ statusCode: 425 })])
    console.log(`pre-gate in njs: ${Math.round(microseconds)} µs for a click with a pass`)
    expect(microseconds).toBeGreaterThan(0)
    expect(microseconds).toBeLessThan(1000)
  })
})
