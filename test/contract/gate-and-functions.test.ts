/**
 * The interface between the gate and the functions, in the form of the former version: literal requests, not made by
 * today's code. During a deployment the gate is older or newer than the functions for minutes, so each must work with
 * the former version of the other. A change of the interface takes two deployments: first both understand the new form,
 * then it is sent; the fixture of the former version stays until the second.
 */

import { describe, expect, it } from 'vitest'
import { purchaseApi } from '../../core/api/purchase.ts'
import { parseIdempotencyKey } from '../../core/ids.ts'
import { signatureHeaders } from '../../core/orders/signature-headers.ts'
import { problem } from '../../core/outcome.ts'
import type { EdgeEvent } from '../../edge/cloudfront.ts'
import { forBuyers, purchaseApp, type ReservePorts } from '../../functions/buy/reserve.ts'
import { controlApp } from '../../functions/control/routes.ts'
import { jsonAnswer, problemAnswer } from '../../functions/lib/http/answer.ts'
import { type Caller, createApp, type Call as HandlerCall, on, readCaller } from '../../functions/lib/http/app.ts'
import { answerEvent } from '../../functions/lib/http/function-url.ts'
import { answerTo, type HttpRequest, urlEventOf } from '../../proof/simulation/parts/requests.ts'
import { warmStock } from '../../redis/stock/warm.ts'
import {
  buyEvent,
  claimEvent,
  controlEvent,
  eventOf,
  forwardedOf,
  openGate,
  orderChangeEvent,
  saleId,
  sent,
  startOfTests,
  startToken,
  tokenAt,
  unthrottled,
  webhookEvent,
} from '../edge/support.ts'
import { aSale } from '../redis/support.ts'
import { useRedis } from '../redis/test-store.ts'
import { testTelemetry } from '../world/telemetry.ts'
import { memoryQueue } from './fakes/queue.ts'

type Former = {
  method: string
  path: string
  query?: string
  /** The headers that the functions read. */
  headers: Record<string, string>
  body: string
}

const requestId = '4TyzHTaYWb1GX1qTfsHhEqV6HUDd_BzoBZnwfnvQc_1oF26ClkoUSEQ=='
const ofAnn = { 'x-shopper-id': 'ann', 'x-shopper-level': '0', 'x-shopper-roles': '', 'x-request-id': requestId }
const ofNothing = { 'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }
const json = { 'content-type': 'application/json' }
const ofClick = { ...ofAnn, ...json, 'x-admission': '2000000000' }

/** The requests of the former gate, each with the hash that CloudFront signs. */
const former = {
  buy: {
    method: 'POST',
    path: '/api/sales/phone-42/orders',
    headers: {
      ...ofClick,
      'idempotency-key': 'k-1',
      'x-amz-content-sha256': '56a515dda2ee279099d2d983d6a222ec78636476d2d08ee6c39fe6824bd89efe',
    },
    body: '{"quantity":1,"startToken":"Zm9ydHktdHdvLXJhbmRvbS1ieXRlcy1oZXJlIQ"}',
  },
  claim: {
    method: 'POST',
    path: '/api/sales/phone-42/packets',
    headers: {
      ...ofClick,
      'x-amz-content-sha256': '0afa0aadd6ad154643941f572c7658adb17a52c4de0f5e8c766afdc574e9604a',
    },
    body: '{"startToken":"Zm9ydHktdHdvLXJhbmRvbS1ieXRlcy1oZXJlIQ"}',
  },
  orders: { method: 'GET', path: '/api/orders', query: 'sale=phone-42', headers: { ...ofAnn, ...ofNothing }, body: '' },
  wallet: { method: 'GET', path: '/api/wallet', headers: { ...ofAnn, ...ofNothing }, body: '' },
  pay: {
    method: 'POST',
    path: '/api/orders/phone-42-abcdefghijklmnopqrstuvwxyz/pay',
    headers: {
      ...ofAnn,
      ...json,
      'x-amz-content-sha256': '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    },
    body: '{}',
  },
  webhook: {
    method: 'POST',
    path: '/api/payments/webhook',
    headers: {
      ...json,
      'x-request-id': requestId,
      'webhook-id': 'msg_1',
      'webhook-timestamp': '2000000000',
      'x-amz-content-sha256': 'c432d16d2a54b09f4af18a18a547a31b57d802f3e057950b50a62052c14cc999',
      'webhook-signature': 'v1,c2lnbmVkIGJ5IHNvbWVib2R5IGVsc2Ugbm90IGJ5IHVzIQ==',
    },
    body: '{"type":"x"}',
  },
  control: {
    method: 'POST',
    path: '/api/control/sales/phone-42/start',
    headers: { ...ofAnn, ...ofNothing, 'x-shopper-id': 'mara', 'x-shopper-roles': 'marketer' },
    body: '',
  },
} satisfies Record<string, Former>
type Call = keyof typeof former
const calls = Object.keys(former) as Call[]

/** The client requests behind each of those: of a page, the payment provider or a marketer. */
async function sentToGate(call: Call, now: number): Promise<EdgeEvent> {
  const { path, query = '', body }: Former = former[call]
  const read = async () =>
    eventOf({ uri: path, querystring: query, headers: { authorization: `Bearer ${await tokenAt(now)}` } })
  const events: Record<Call, () => Promise<EdgeEvent>> = {
    buy: () => buyEvent(now, { body, headers: { 'idempotency-key': 'k-1' } }),
    claim: () => claimEvent(now, { body }),
    orders: read,
    wallet: read,
    pay: () => orderChangeEvent(now),
    webhook: async () => webhookEvent(),
    control: () => controlEvent(now),
  }
  return events[call]()
}

describe('today’s gate before functions of the former version', () => {
  it.each(calls)('forwards %s with every header that they read, as they expect it', async (call) => {
    const { rules } = unthrottled
    const gate = openGate({ rules: { ...rules, kind: call === 'claim' ? 'red-packet' : 'goods' } })
    // The admission must be counted, which happens for limited stocks only.
    gate.store.replenish(saleId, 100)
    const request = forwardedOf(await gate.handler(await sentToGate(call, gate.time.now)))
    const { method, path, query = '', headers, body }: Former = former[call]
    expect({ method: request.method, path: request.uri, query: request.querystring }).toEqual({ method, path, query })
    const forwarded = Object.fromEntries(
      Object.keys(headers).map((name) => [name, sent(request, name).join(' twice ')]),
    )
    expect(forwarded).toEqual(headers)
    expect(Buffer.from(request.body?.data ?? '', 'base64').toString()).toBe(body)
  })

  it('sends them no other header that only the gate may set', async () => {
    const gate = openGate(unthrottled)
    const request = forwardedOf(await gate.handler(await sentToGate('buy', gate.time.now)))
    const ours = Object.keys(request.headers).filter((name) => /^x-(?!forwarded-for|amz-cf-)/.test(name))
    const known = Object.keys(former.buy.headers).filter((name) => name.startsWith('x-'))
    expect(ours.toSorted()).toEqual(known.toSorted())
  })
})

/** The former gate's request as a function URL passes it to a function of today. */
const receivedBy = (call: Call): HttpRequest => {
  const { method, path, query, headers, body }: Former = former[call]
  return { method, path, query: new URLSearchParams(query), headers, body }
}

describe('today’s functions behind a gate of the former version', () => {
  it('read the shopper, the roles, and the request id', () => {
    for (const call of ['buy', 'claim', 'orders', 'wallet', 'pay'] as const) {
      expect(readCaller(receivedBy(call).headers), call).toEqual({ shopperId: 'ann', roles: [], requestId })
    }
    expect(readCaller(receivedBy('control').headers)).toEqual({ shopperId: 'mara', roles: ['marketer'], requestId })
  })

  /** Returns the request that a handler of the operation receives for a click of Ann. */
  async function clicked<O extends typeof purchaseApi.buy | typeof purchaseApi.claim>(operation: O, call: Call) {
    const calls: HandlerCall<O, Caller>[] = []
    const keep = on(operation, async (_: unknown, handled: HandlerCall<O, Caller>) => {
      calls.push(handled)
      return jsonAnswer(200, {})
    })
    const completed: unknown[][] = []
    const admissions = { complete: async (...report: unknown[]) => void completed.push(report) }
    const ports = { admissions, ...testTelemetry() } as Partial<ReservePorts> as ReservePorts
    await answerEvent(createApp({}, [keep], forBuyers(ports)), urlEventOf(receivedBy(call)))
    const [first, ...others] = calls
    if (first === undefined || others.length > 0) throw new Error(`${calls.length} calls in place of one`)
    expect(first.params).toEqual({ saleId })
    expect(first.caller).toMatchObject({ shopperId: 'ann', requestId })
    expect(completed, 'in its epoch second').toEqual([[saleId, [{ second: startOfTests / 1000 }]]])
    return first
  }

  it('read a buy request: the sale, the second of its admission, the key, and the body', async () => {
    const call = await clicked(purchaseApi.buy, 'buy')
    expect(parseIdempotencyKey(call.headers['idempotency-key'])).toBe('k-1')
    expect(call.body).toEqual({ quantity: 1, startToken })
  })

  it('read a claim', async () => {
    expect((await clicked(purchaseApi.claim, 'claim')).body).toEqual({ startToken })
  })

  it('read the sale of a list, and the signature of a webhook', () => {
    expect(receivedBy('orders').query.get('sale')).toBe('phone-42')
    const { headers } = receivedBy('webhook')
    for (const name of Object.keys(signatureHeaders)) expect(headers[name], name).toBeDefined()
  })

  it('reject a request without an identity from the gate', async () => {
    const { headers: _, ...request } = receivedBy('control')
    // No port is called before the shopper is known.
    const ports = {} as Parameters<typeof controlApp>[0]
    expect((await answerTo(controlApp(ports), { ...request, headers: {} })).statusCode).toBe(401)
  })
})

describe('an answer of a function, which no gate reads and pages of both versions do', () => {
  const redis = useRedis()

  it('is uncached JSON, a problem as a problem document, and never marked as the gate’s own', () => {
    expect(jsonAnswer(202, {}).headers).toEqual({ 'content-type': 'application/json', 'cache-control': 'no-store' })
    const wait = problem('too-many-requests', 'Wait.', { retryAfterSeconds: 7 })
    expect(problemAnswer(wait).headers).toEqual({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'retry-after': '7',
    })
  })

  it('to a buy request has the fields that pages of the former version read', async () => {
    const sale = aSale({ saleId, stock: 3, startToken })
    await warmStock(redis, sale)
    const ports = {
      stock: redis,
      queue: memoryQueue(),
      soldOut: { publish: async () => {} },
      admissions: { complete: async () => {} },
      demand: { count: () => {} },
      clock: () => sale.startsAt,
      ...testTelemetry(),
    }
    const { statusCode, body } = await answerTo(purchaseApp(ports), receivedBy('buy'))
    expect(statusCode).toBe(202)
    expect(JSON.parse(body)).toMatchObject({
      orderId: expect.stringMatching(/^phone-42-[a-z2-7]{26}$/),
      status: 'reserved',
      quantity: 1,
      remaining: 2,
    })
  })
})
