/** Limits of requests other than clicks: so many in a window for an address, an IPv6 network or a shopper, and no more. */
import { describe, expect, it } from 'vitest'
import {
  eventOf,
  forwardedOf,
  openGate,
  openSaleFacts,
  orderId,
  refusalOf,
  ruled,
  saleId,
  shopOrigin,
  tokenAt,
  webhookEvent,
} from '../support.ts'

type Gate = ReturnType<typeof openGate>
type Send = (gate: Gate, sender: { clientIp: string; sub: string }) => ReturnType<Gate['handler']>

const tokens = new Map<string, Promise<string>>()
/** One token of each shopper: signing them is slow. */
async function tokenOf(sub: string): Promise<string> {
  const token = tokens.get(sub) ?? tokenAt(openGate().time.now, { claims: { sub, exp: 3_000_000_000 } })
  tokens.set(sub, token)
  return token
}

const readPaths = ['/api/orders', '/api/wallet', `/api/orders/${orderId}`]
let reads = 0
const read: Send = async ({ handler }, { clientIp, sub }) => {
  const headers = { authorization: `Bearer ${await tokenOf(sub)}` }
  reads += 1
  return handler(eventOf({ uri: readPaths[reads % 3] ?? '', clientIp, headers }))
}
const change: Send = async ({ changeOrder }, { sub }) =>
  changeOrder({ headers: { authorization: `Bearer ${await tokenOf(sub)}` } })
const signIn: Send = ({ handler }, { clientIp }) => handler(eventOf({ uri: '/api/sign-in', clientIp }))
const json = { 'content-type': 'application/json', origin: shopOrigin }
const endSession: Send = ({ handler }, { clientIp }) =>
  handler(eventOf({ method: 'POST', uri: '/api/sign-in/end', body: '{}', headers: json, clientIp }))
const unsubscribe: Send = ({ handler }, { clientIp }) =>
  handler(eventOf({ uri: '/api/unsubscribe', querystring: 'token=a.b_c-d', clientIp }))
const shopKey = { authorization: `Bearer till-1.${'k'.repeat(43)}` }
const till: Send = ({ handler }, { clientIp }) =>
  handler(
    eventOf({
      ...{ method: 'POST', uri: '/api/control/coupons/ABCD-EFGH-JKMN-PQRS-TVWX/redeem' },
      ...{ headers: shopKey, clientIp },
    }),
  )
const webhook: Send = ({ handler }, { clientIp }) => handler(webhookEvent({ clientIp }))

const ann = { clientIp: '203.0.113.7', sub: 'ann' }
const bob = { clientIp: '198.51.100.9', sub: 'bob' }

describe('a limit', () => {
  it.each<[string, number, number, Send]>([
    ['the order reads of a shopper', 120, 60, read],
    ['the order changes of a shopper', 30, 60, change],
    ['the sign-ins of an address', 3000, 60, signIn],
    ['the ends of sessions of an address', 3000, 60, endSession],
    ['the email links of an address', 3000, 60, unsubscribe],
    ['the tills of an address', 3000, 60, till],
    ['the webhooks of an address', 1000, 10, webhook],
  ])('of %s is %i in %i s, and is separate for another one (R2)', async (_, limit, seconds, send) => {
    const gate = openGate()
    for (let i = 0; i < limit; i += 1) forwardedOf(await send(gate, ann))
    expect(refusalOf(await send(gate, ann))).toMatchObject({
      ...{ status: 429, code: 'too-many-requests' },
      headers: { 'retry-after': String(seconds) },
    })
    forwardedOf(await send(gate, bob))
    gate.time.now += seconds * 1000
    forwardedOf(await send(gate, ann))
  })

  it('of order reads and of order changes count apart, as do sign-ins and webhooks', async () => {
    const gate = openGate()
    for (let i = 0; i < 120; i += 1) await read(gate, ann)
    refusalOf(await read(gate, ann))
    for (const send of [change, signIn, webhook]) forwardedOf(await send(gate, ann))
  })

  it('of sign-ins counts their ends as well', async () => {
    const gate = openGate()
    for (let i = 0; i < 3000; i += 1) await signIn(gate, ann)
    expect(refusalOf(await endSession(gate, ann)).code).toBe('too-many-requests')
  })

  it('of order reads names the wait from the first of them, and allows a page one change a second', async () => {
    const gate = openGate()
    for (let i = 0; i < 120; i += 1) {
      await read(gate, ann)
      gate.time.now += 100
    }
    expect(refusalOf(await read(gate, ann)).headers['retry-after']).toBe('48')
    for (let i = 0; i < 30; i += 1) {
      forwardedOf(await change(gate, bob))
      gate.time.now += 1000
    }
    expect(refusalOf(await change(gate, bob)).headers['retry-after']).toBe('30')
  })

  it('of order reads is also one of an address, or an IPv6 network, that reads for thousands of shoppers', async () => {
    const gate = openGate()
    const from = (network: number, host: number) => `2001:db8:0:${network}::${host.toString(16)}`
    for (let i = 0; i < 10_000; i += 1) {
      forwardedOf(await read(gate, { clientIp: from(1, i), sub: `shopper-${i % 100}` }))
    }
    const late = { clientIp: from(1, 1), sub: 'one-more' }
    expect(refusalOf(await read(gate, late))).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
    forwardedOf(await read(gate, { ...late, clientIp: from(2, 1) }))
    gate.time.now += 60_000
    forwardedOf(await read(gate, late))
  })

  it('of order reads does not count forged tokens against a shopper', async () => {
    const { handler, ...gate } = openGate()
    const event = eventOf({ uri: '/api/orders', headers: { authorization: 'Bearer no.such.token' } })
    for (let i = 0; i < 10_001; i += 1) expect(refusalOf(await handler(event)).code).toBe('sign-in-required')
    forwardedOf(await read({ handler, ...gate }, ann))
  })

  it('of challenges is ten a minute for a shopper of a sale, besides the buy requests', async () => {
    const { fetchChallenge, store, time } = openGate(ruled({ challenge: 'pow' }))
    store.sales['other-sale'] = { ...openSaleFacts, ...ruled({ challenge: 'pow' }) }
    const ask = async (sale: string) => fetchChallenge({ uri: `/api/sales/${sale}/challenge` })
    for (let i = 0; i < 10; i++) {
      expect(await ask(saleId)).toMatchObject({ status: '200' })
      time.now += 1000
    }
    expect(refusalOf(await ask(saleId))).toMatchObject({
      ...{ status: 429, headers: { 'retry-after': '50' }, body: { retryAfterSeconds: 50 } },
    })
    expect(await ask('other-sale')).toMatchObject({ status: '200' })
  })
})

describe('the limit of webhooks', () => {
  it('limits a flood from many addresses', async () => {
    const gate = openGate()
    const from = (i: number) => webhook(gate, { clientIp: `198.51.${i >> 8}.${i & 255}`, sub: '' })
    for (let i = 0; i < 3000; i++) forwardedOf(await from(i))
    expect(refusalOf(await from(3000))).toMatchObject({ status: 429, code: 'too-many-requests' })
    gate.time.now += 10_000
    forwardedOf(await from(3000))
  })

  it('counts only messages that look signed', async () => {
    const { handler } = openGate()
    const unsigned = webhookEvent({ headers: { 'content-type': 'application/json' } })
    for (let i = 0; i < 3001; i++) expect(refusalOf(await handler(unsigned)).code).toBe('signature-invalid')
    forwardedOf(await handler(webhookEvent()))
  })
})
