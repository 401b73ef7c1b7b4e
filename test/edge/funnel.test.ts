import { describe, expect, it, vi } from 'vitest'
import { maxWebhookBytes } from '../../core/body-limits.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import type { EdgeEvent } from '../../edge/cloudfront.ts'
import type { GateFacts } from '../../edge/memory/gate-store.ts'
import {
  buyEvent,
  challengeEvent,
  claimEvent,
  type EventParts,
  forwardedOf,
  openGate,
  openSaleFacts,
  orderChangeEvent,
  orderId,
  refusalOf,
  saleId,
  startToken,
  webhookEvent,
} from './support.ts'

/** One fault of a request, of the sale or of the client, and the gate's answer to it. */
type Fault = EventParts & {
  code: string
  claims?: Record<string, unknown>
  facts?: Partial<GateFacts>
  rules?: Partial<GateFacts['rules']>
  blocks?: string
  noPlaces?: true
}

/** Each request has this fault and every later one; the answer must be for the earliest. */
const wrongBuys: Fault[] = [
  { code: 'not-found', uri: '/api/nothing' },
  { code: 'method-not-allowed', method: 'PUT' },
  { code: 'too-large', body: 'x'.repeat(3000) },
  { code: 'unsupported-media-type', headers: { 'content-type': 'text/plain' } },
  { code: 'blocked', blocks: 'ip 203.0.113.0/24' },
  { code: 'unknown-sale', uri: '/api/sales/no-such/orders' },
  { code: 'conflict', rules: { kind: 'red-packet' } },
  { code: 'not-started', facts: { flag: 'off' } },
  { code: 'sold-out', facts: { soldOut: true } },
  { code: 'sign-in-required', headers: { authorization: 'Bearer nothing' } },
  { code: 'sign-in-required', headers: { authorization: 'Bearer no.thing.signed' } },
  { code: 'blocked', blocks: 'shopper ann' },
  { code: 'level-too-low', rules: { minLevel: 3 } },
  { code: 'origin-not-allowed', headers: { origin: 'https://evil.example' } },
  { code: 'invalid-request', body: '{}' },
  { code: 'stale-page', body: JSON.stringify({ quantity: 1, startToken: startToken.slice(1) }) },
  { code: 'not-your-turn', rules: { earlyAccess: { minutes: 10, minLevel: 4 } } },
  { code: 'challenge-required', rules: { challenge: 'pow' } },
  { code: 'at-capacity', noPlaces: true },
]

/** Wrong claims of a red packet. */
const wrongClaims: Fault[] = [
  ...wrongBuys.slice(0, 5),
  { code: 'unknown-sale', uri: '/api/sales/no-such/packets' },
  { code: 'conflict', rules: { kind: 'coupon' } },
  ...wrongBuys.slice(7, 15),
  { code: 'stale-page', body: JSON.stringify({ startToken: startToken.slice(1) }) },
  ...wrongBuys.slice(16),
]

/** Wrong order changes. */
const wrongChanges: Fault[] = [
  { code: 'not-found', uri: `/api/orders/${orderId}/eat` },
  { code: 'method-not-allowed', method: 'PUT' },
  { code: 'too-large', body: ' '.repeat(3000) },
  { code: 'invalid-request', querystring: '<script>' },
  { code: 'unsupported-media-type', headers: { 'content-type': 'text/plain' } },
  { code: 'blocked', blocks: 'ip 203.0.113.7' },
  { code: 'sign-in-required', headers: { authorization: 'Bearer nothing' } },
  { code: 'blocked', blocks: 'shopper ann' },
  { code: 'origin-not-allowed', headers: { origin: 'https://evil.example' } },
]

const wrongChallenges: Fault[] = [
  { code: 'not-found', uri: '/api/nothing' },
  { code: 'method-not-allowed', method: 'GET' },
  { code: 'too-large', body: ' '.repeat(2113) },
  { code: 'unsupported-media-type', headers: { 'content-type': 'text/plain' } },
  { code: 'blocked', blocks: 'ip 203.0.113.7' },
  { code: 'unknown-sale', uri: '/api/sales/no-such/challenge' },
  { code: 'ended', facts: { flag: 'closed' } },
  { code: 'sign-in-required', headers: { authorization: 'Bearer nothing' } },
  { code: 'blocked', blocks: 'shopper ann' },
  { code: 'level-too-low', rules: { minLevel: 3 } },
  { code: 'origin-not-allowed', headers: { origin: 'https://evil.example' } },
  { code: 'invalid-request', body: '[]' },
  { code: 'conflict', rules: { challenge: 'off' } },
]

/** For webhooks of the payment provider. */
const wrongWebhooks: Fault[] = [
  { code: 'not-found', uri: '/api/payments/nothing' },
  { code: 'method-not-allowed', method: 'GET' },
  { code: 'too-large', body: 'x'.repeat(maxWebhookBytes + 1) },
  { code: 'invalid-request', querystring: '<script>' },
  { code: 'unsupported-media-type', headers: { 'content-type': 'text/plain' } },
  { code: 'signature-invalid', headers: { 'content-type': 'application/json' } },
]

/** The gate and the request with all faults from `index` on; of two for the same part the earlier stays. */
function faultsFrom(faults: readonly Fault[], index: number, kind: SaleKind = 'goods') {
  const rest = faults.slice(index).reverse()
  const headers: Record<string, string | string[]> = Object.assign({}, ...rest.map((fault) => fault.headers))
  const rules = Object.assign({}, openSaleFacts.rules, { kind }, ...rest.map((fault) => fault.rules))
  const facts = Object.assign({ rules }, ...rest.map((fault) => fault.facts))
  const { code: _, facts: __, rules: ___, blocks: ____, noPlaces, ...wrong } = Object.assign({ code: '' }, ...rest)
  const gate = openGate(facts)
  gate.store.publishFilter()
  for (const { blocks } of rest) if (blocks !== undefined) gate.store.block(blocks)
  if (noPlaces) gate.store.replenish(saleId, 0)
  return { ...gate, wrong: { ...wrong, headers } }
}

describe('the funnel', () => {
  it.each<[string, readonly Fault[], (now: number, wrong: EventParts) => EdgeEvent | Promise<EdgeEvent>, SaleKind]>([
    ['clicks', wrongBuys, buyEvent, 'goods'],
    ['claims of red packets', wrongClaims, claimEvent, 'red-packet'],
    ['payments and cancellations', wrongChanges, orderChangeEvent, 'goods'],
    ['requests for a challenge', wrongChallenges, challengeEvent, 'goods'],
    ['webhooks', wrongWebhooks, (_, wrong) => webhookEvent(wrong), 'goods'],
  ])(
    'answers %s in the order of its checks, the cheapest first, and asks for an admission last (L6, G5, P2, R5)',
    async (_, faults, eventOf, kind) => {
      for (const [index, { code }] of faults.entries()) {
        const { handler, store, time, wrong } = faultsFrom(faults, index, kind)
        expect(refusalOf(await handler(await eventOf(time.now, wrong))).code, `fault ${index}`).toBe(code)
        expect(store.asks.length, code).toBe(code === 'at-capacity' ? 1 : 0)
        if (faults === wrongWebhooks) expect([...store.reads, ...store.listReads]).toEqual([])
      }
    },
  )

  it('admits the provider and a marketer from a blocked address: payments and the end of a block must arrive', async () => {
    const { control, handler, store } = openGate()
    store.block('ip 203.0.113.7')
    forwardedOf(await handler(webhookEvent()))
    expect(store.listReads).toEqual([])
    forwardedOf(await control())
  })

  it('makes no Request, Response or URL for requests that are too early, too late or too many (L6)', async () => {
    const gates = [
      { soldOut: true },
      { flag: 'off' },
      { flag: 'paused' },
      { flag: 'closed' },
      { restockedRevision: 7 },
    ] as const
    const opened = await Promise.all(
      gates.map(async (facts) => {
        const gate = openGate(facts)
        gate.store.replenish(saleId, 0)
        await gate.buy()
        return { ...gate, event: await buyEvent(gate.time.now) }
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
      expect(codes).toEqual(['sold-out', 'not-started', 'paused', 'ended', 'at-capacity'])
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('answers closed, with a line in the log, when the gate itself fails (I6)', async () => {
    const { handler, reports, time } = openGate()
    const event = await buyEvent(time.now)
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
})
