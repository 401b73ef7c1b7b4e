import { describe, expect, it, vi } from 'vitest'
import {
  buy,
  eventOf,
  openGate,
  orderChange,
  orderId,
  refusalOf,
  saleId,
  shopOrigin,
  startToken,
  webhook,
} from './support.ts'

/** Each request is wrong in this check and in every later one; the earlier check must be the one to speak. */
const wrongFrom = [
  { code: 'not-found', uri: '/api/nothing' },
  { code: 'method-not-allowed', method: 'PUT' },
  { code: 'too-large', body: 'x'.repeat(3000) },
  { code: 'unsupported-media-type', type: 'text/plain' },
  { code: 'unknown-sale', uri: '/api/sales/no-such/orders' },
  { code: 'not-started', facts: { flag: 'off' as const } },
  { code: 'sold-out', facts: { soldOut: true } },
  { code: 'sign-in-required', authorization: 'Bearer nothing' },
  { code: 'origin-not-allowed', origin: 'https://evil.example' },
  { code: 'invalid-request', body: '{}' },
  { code: 'stale-page', body: JSON.stringify({ quantity: 1, startToken: startToken.slice(1) }) },
]

/** The same for what a shopper does to an order. */
const wrongChanges: (Parameters<typeof orderChange>[1] & { code: string })[] = [
  { code: 'not-found', uri: `/api/orders/${orderId}/eat` },
  { code: 'method-not-allowed', method: 'PUT' },
  { code: 'too-large', body: ' '.repeat(3000) },
  { code: 'invalid-request', querystring: '<script>' },
  { code: 'unsupported-media-type', headers: { 'content-type': 'text/plain' } },
  { code: 'sign-in-required', headers: { authorization: 'Bearer nothing' } },
  { code: 'origin-not-allowed', headers: { origin: 'https://evil.example' } },
]

/** And for what says it comes from the payment provider. */
const wrongWebhooks = [
  { code: 'not-found', uri: '/api/payments/nothing' },
  { code: 'method-not-allowed', method: 'GET' },
  { code: 'too-large', body: 'x'.repeat(16_385) },
  { code: 'invalid-request', querystring: '<script>' },
  { code: 'unsupported-media-type', headers: { 'content-type': 'text/plain' } },
  { code: 'signature-invalid', headers: { 'content-type': 'application/json' } },
]

/** All faults from `index` on in one request; of two for the same part the earlier stays. */
function faultsFrom<Fault extends { headers?: Record<string, string | string[]> }>(
  faults: readonly Fault[],
  index: number,
) {
  const rest = faults.slice(index).reverse()
  const headers: Record<string, string | string[]> = Object.assign({}, ...rest.map((fault) => fault.headers))
  const { code: _, ...wrong } = Object.assign({ code: '' }, ...rest)
  return { ...wrong, headers }
}

describe('the funnel', () => {
  it('speaks in the order of its checks, the cheapest first (L6)', async () => {
    for (const [index, { code }] of wrongFrom.entries()) {
      const rest = wrongFrom.slice(index)
      const first = <K extends string>(key: K) => rest.map((wrong) => Reflect.get(wrong, key)).find(Boolean)
      const { handler, time } = openGate(Object.assign({}, ...rest.map(({ facts }) => facts)))
      const honest = await buy(time.now)
      const { authorization = [] } = honest.Records[0]?.cf.request.headers ?? {}
      const event = eventOf({
        method: first('method') ?? 'POST',
        uri: first('uri') ?? `/api/sales/${saleId}/orders`,
        body: first('body') ?? JSON.stringify({ quantity: 1, startToken }),
        headers: {
          authorization: first('authorization') ?? authorization[0]?.value ?? '',
          'content-type': first('type') ?? 'application/json',
          origin: first('origin') ?? shopOrigin,
        },
      })
      expect(refusalOf(await handler(event)).code).toBe(code)
    }
  })

  it('speaks in its order to those who would pay or cancel an order too (L6)', async () => {
    for (const [index, { code }] of wrongChanges.entries()) {
      const { handler, time } = openGate()
      const event = await orderChange(time.now, faultsFrom(wrongChanges, index))
      expect(refusalOf(await handler(event)).code).toBe(code)
    }
  })

  it('speaks in its order to those who say they are the payment provider (L6)', async () => {
    for (const [index, { code }] of wrongWebhooks.entries()) {
      const { handler, store } = openGate()
      expect(refusalOf(await handler(webhook(faultsFrom(wrongWebhooks, index)))).code).toBe(code)
      expect(store.reads).toEqual([])
    }
  })

  it('makes no Request, Response or URL for the crowd that is too early or too late (L6)', async () => {
    const gates = [{ soldOut: true }, { flag: 'off' }, { flag: 'paused' }, { flag: 'closed' }] as const
    const opened = await Promise.all(
      gates.map(async (facts) => {
        const gate = openGate(facts)
        await gate.handler(await buy(gate.time.now))
        return { ...gate, event: await buy(gate.time.now) }
      }),
    )
    const forbidden = ['Request', 'Response', 'URL', 'Headers'] as const
    for (const name of forbidden) {
      vi.stubGlobal(name, function refuse() {
        throw new Error(`${name} was made`)
      })
    }
    try {
      const codes = []
      for (const { handler, event } of opened) codes.push(refusalOf(await handler(event)).code)
      expect(codes).toEqual(['sold-out', 'not-started', 'paused', 'ended'])
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('is answered as closed, with a line in the log, when the gate itself fails (I6)', async () => {
    const { handler, reports, time } = openGate()
    const event = await buy(time.now)
    Object.defineProperty(event.Records[0]?.cf.request ?? {}, 'headers', {
      get() {
        throw new Error('broken event')
      },
    })
    expect(refusalOf(await handler(event)).code).toBe('unavailable')
    expect(reports).toEqual([
      { message: 'the gate failed', details: { error: expect.stringContaining('broken event') } },
    ])
  })

  it('tells the time without asking anybody, never cached', async () => {
    const { handler, store, time } = openGate()
    time.now += 7
    expect(await handler(eventOf({ uri: '/api/time' }))).toMatchObject({
      status: '200',
      body: `{"now":${time.now}}`,
      headers: { 'cache-control': [{ value: 'no-store' }] },
    })
    expect(store.reads).toEqual([])
  })
})
