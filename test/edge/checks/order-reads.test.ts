import { describe, expect, it } from 'vitest'
import { eventOf, forwardedOf, openGate, orderChangeEvent, orderId, refusalOf, tokenAt } from '../support.ts'

type Gate = ReturnType<typeof openGate>

async function read(
  { handler, time }: Gate,
  sub: string,
  { uri = '/api/orders', clientIp = '203.0.113.7' } = {},
) {
  const authorization = `Bearer ${await tokenAt(time.now, { claims: { sub } })}`
  return handler(eventOf({ uri, clientIp, headers: { authorization } }))
}

describe('the limit of order reads', () => {
  it('limits a script that reads its orders without a pause', async () => {
    const gate = openGate()
    const paths = ['/api/orders', '/api/wallet', `/api/orders/${orderId}`]
    for (let i = 0; i < 120; i++) {
      forwardedOf(await read(gate, 'ann', { uri: paths[i % 3] ?? '' }))
      gate.time.now += 100
    }
    const refusal = refusalOf(await read(gate, 'ann'))
    expect(refusal).toMatchObject({
      status: 429,
      code: 'too-many-requests',
      headers: { 'retry-after': '48' },
    })
    forwardedOf(await read(gate, 'bob'))
    gate.time.now += 48_000
    forwardedOf(await read(gate, 'ann'))
  })

  it('is separate from the limit of order changes', async () => {
    const gate = openGate()
    for (let i = 0; i < 120; i++) forwardedOf(await read(gate, 'ann'))
    refusalOf(await read(gate, 'ann'))
    forwardedOf(await gate.handler(await orderChangeEvent(gate.time.now)))
  })

  it('limits an address that reads for thousands of shoppers, or an IPv6 network, and no other', async () => {
    const gate = openGate()
    const from = (host: number) => ({ clientIp: `2001:db8:0:1::${host.toString(16)}` })
    const tokens = await Promise.all(
      Array.from({ length: 100 }, (_, i) => tokenAt(gate.time.now, { claims: { sub: `shopper-${i}` } })),
    )
    for (let i = 0; i < 10_000; i++) {
      const authorization = `Bearer ${tokens[i % 100]}`
      forwardedOf(await gate.handler(eventOf({ uri: '/api/orders', ...from(i), headers: { authorization } })))
    }
    expect(refusalOf(await read(gate, 'one-more', from(1)))).toMatchObject({
      status: 429,
      code: 'too-many-requests',
      headers: { 'retry-after': '60' },
    })
    forwardedOf(await read(gate, 'one-more', { clientIp: '2001:db8:0:2::1' }))
    gate.time.now += 60_000
    forwardedOf(await read(gate, 'one-more', from(1)))
  })

  it('does not count forged tokens against a shopper', async () => {
    const gate = openGate()
    const headers = { authorization: 'Bearer no.such.token' }
    for (let i = 0; i < 10_001; i++) {
      expect(refusalOf(await gate.handler(eventOf({ uri: '/api/orders', headers }))).code).toBe(
        'sign-in-required',
      )
    }
    forwardedOf(await read(gate, 'ann'))
  })
})
