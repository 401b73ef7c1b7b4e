import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { outcomes } from '../../core/outcome.ts'
import type { EdgeEvent } from '../../edge/cloudfront.ts'
import { anyPath, anyText } from './any-text.ts'
import {
  eventOf,
  openGate,
  openSaleFacts,
  orderId,
  refusalOf,
  saleId,
  sent,
  shopOrigin,
  startToken,
  tokenAt,
  unthrottled,
} from './support.ts'

let ann = ''
beforeAll(async () => {
  ann = await tokenAt(openSaleFacts.startsAt + 60_000)
})

const either = <T>(...values: T[]) => fc.constantFrom(...values)
const paths = fc.oneof(
  either(
    `/api/sales/${saleId}/orders`,
    '/api/orders',
    `/api/orders/${orderId}/pay`,
    '/api/payments/webhook',
    '/api/control/sales',
    `/api/sales/${saleId}/challenge`,
    '/api/control/blocklist/ip/2001:db8::/32',
    '/api/sales/no-such/orders',
  ),
  anyPath,
  anyText.map((text) => `/api/${text}`),
)
const names = either(
  ...'authorization cookie origin content-type content-length idempotency-key host'.split(' '),
  ...['x-shopper-id', 'x-shopper-roles'],
)
const values = fc.oneof(
  either(shopOrigin, 'application/json', 'Bearer a.b.c', 'sluice_session=a.b.c', 'marketer', 'null', ''),
  anyText,
)
const anyHeaders = fc.dictionary(names, fc.oneof(values, fc.array(values, { maxLength: 3 })))
const purchase = JSON.stringify({ quantity: 1, startToken })
const parts = {
  method: fc.oneof(either('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'), fc.string()),
  uri: paths,
  querystring: fc.oneof(fc.webQueryParameters(), anyText),
  headers: anyHeaders,
  body: fc.oneof(fc.json(), anyText, fc.constant(purchase)),
  truncated: fc.boolean(),
  clientIp: fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()),
}
const anything = fc.record(parts, { requiredKeys: ['method', 'uri'] })

/** Requests that would pass with a valid token, except for the replaced parts. */
const nearlyHonest = fc
  .tuple(
    either(
      { method: 'POST', uri: `/api/sales/${saleId}/orders`, body: purchase },
      { method: 'GET', uri: '/api/orders' },
      { method: 'POST', uri: `/api/orders/${orderId}/pay`, body: '{}' },
      { method: 'GET', uri: '/api/control/sales' },
    ),
    fc.record(parts, { requiredKeys: [] }),
    fc.boolean(),
  )
  .map(([honest, replaced, keep]) => (keep ? { ...replaced, ...honest } : { ...honest, ...replaced }))

describe('any request of a client', () => {
  it('never throws and never passes without an identity (I6)', async () => {
    const { handler, reports } = openGate(unthrottled)
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, nearlyHonest), async (ask) => {
        const answer = await handler(eventOf(ask))
        const { code, status } = refusalOf(answer)
        expect(Object.entries(outcomes).find(([kind]) => kind === code)?.[1].status).toBe(status)
      }),
      { numRuns: 1500 },
    )
    expect(reports).toEqual([])
  })

  it('with a valid token, passes only as the shopper of that token', async () => {
    const { handler, reports } = openGate(unthrottled)
    const passed = new Set<string>()
    await fc.assert(
      fc.asyncProperty(nearlyHonest, async (ask) => {
        const headers = { 'content-type': 'application/json', ...ask.headers, authorization: `Bearer ${ann}` }
        const answer = await handler(eventOf({ ...ask, headers }))
        if (!('uri' in answer)) return
        passed.add(answer.uri)
        expect(sent(answer, 'x-shopper-id')).toEqual(['ann'])
        expect(sent(answer, 'x-shopper-roles')).toEqual([''])
        expect(sent(answer, 'cookie')).toEqual([])
      }),
      { numRuns: 1500 },
    )
    const open = ['/api/orders', `/api/orders/${orderId}/pay`, `/api/sales/${saleId}/orders`]
    expect(passed).toEqual(new Set(open))
    expect(reports).toEqual([])
  })

  it('is refused with a problem even when it is no valid event', async () => {
    const { handler } = openGate()
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (nonsense) => {
        expect(refusalOf(await handler(nonsense as EdgeEvent)).code).toBe('unavailable')
      }),
    )
  })
})
