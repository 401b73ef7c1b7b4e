import { describe, expect, it } from 'vitest'
import {
  buyEvent,
  forwardedOf,
  openGate,
  openSaleFacts,
  refusalOf,
  saleId,
  startOfTests,
  startToken,
  throttled,
} from '../support.ts'

const twoPer = (windowSeconds: number) => throttled({ perSale: { limit: 2, windowSeconds } })

describe('the limit per sale', () => {
  it('forwards up to the limit in a window and answers with its end, to the second (R4)', async () => {
    const { handler, time } = openGate(twoPer(10))
    const send = async (sub: string) => handler(await buyEvent(time.now, { claims: { sub } }))
    forwardedOf(await send('ann'))
    time.now = startOfTests + 3000
    forwardedOf(await send('bob'))
    time.now = startOfTests + 3001
    const refusal = refusalOf(await send('cid'))
    expect(refusal).toMatchObject({ status: 429, code: 'too-many-requests', body: { retryAfterSeconds: 7 } })
    expect(refusal.headers['retry-after']).toBe('7')
    time.now = startOfTests + 9999
    expect(refusalOf(await send('cid')).headers['retry-after']).toBe('1')
    time.now = startOfTests + 10_000
    forwardedOf(await send('cid'))
  })

  it('counts only requests that passed the earlier limits: abuse does not starve other shoppers (R4)', async () => {
    const { handler, time } = openGate({
      ...throttled({ perShopper: { limit: 1, windowSeconds: 60 }, perSale: { limit: 2, windowSeconds: 60 } }),
    })
    const send = async (sub: string) => handler(await buyEvent(time.now, { claims: { sub } }))
    forwardedOf(await send('greedy'))
    for (let i = 0; i < 50; i++) refusalOf(await send('greedy'))
    for (let i = 0; i < 50; i++)
      refusalOf(await handler(await buyEvent(time.now, { token: 'no.such.token' })))
    forwardedOf(await send('ann'))
  })

  it('does not count requests that fail the origin, the body, the start token or the challenge (R4)', async () => {
    const gate = openGate(twoPer(60))
    const { handler, time } = gate
    const wrong = [
      { headers: { origin: 'https://evil.example' } },
      { body: '{}' },
      { body: JSON.stringify({ quantity: 1, startToken: startToken.slice(1) }) },
    ]
    const codes: unknown[] = []
    for (const [index, change] of wrong.entries()) {
      codes.push(
        refusalOf(await handler(await buyEvent(time.now, { claims: { sub: `fool-${index}` }, ...change })))
          .code,
      )
    }
    expect(codes).toEqual(['origin-not-allowed', 'invalid-request', 'stale-page'])
    const sale = gate.store.sales[saleId]
    if (sale === undefined) throw new Error('the sale is there')
    gate.store.sales[saleId] = { ...sale, rules: { ...sale.rules, challenge: 'pow' } }
    time.now += 1001
    for (const sub of ['dan', 'eve']) {
      expect(refusalOf(await handler(await buyEvent(time.now, { claims: { sub } }))).code).toBe(
        'challenge-required',
      )
    }
    gate.store.sales[saleId] = sale
    time.now += 1001
    for (const sub of ['ann', 'bob'])
      forwardedOf(await handler(await buyEvent(time.now, { claims: { sub } })))
    expect(refusalOf(await handler(await buyEvent(time.now, { claims: { sub: 'cid' } }))).code).toBe(
      'too-many-requests',
    )
  })

  it('does not count against a shopper when it refuses (R2, R4)', async () => {
    const { handler, time } = openGate(
      throttled({ perShopper: { limit: 2, windowSeconds: 60 }, perSale: { limit: 1, windowSeconds: 1 } }),
    )
    const send = async (sub: string) => handler(await buyEvent(time.now, { claims: { sub } }))
    for (let i = 0; i < 5; i++) {
      forwardedOf(await send(`other-${i}`))
      expect(refusalOf(await send('ann'))).toMatchObject({
        code: 'too-many-requests',
        headers: { 'retry-after': '1' },
      })
      time.now += 1000
    }
    forwardedOf(await send('ann'))
  })

  it('returns the admission of a request that it refuses (G5)', async () => {
    const { handler, store, time } = openGate(throttled({ perSale: { limit: 1, windowSeconds: 1 } }))
    store.replenish(saleId, 2)
    const send = async (sub: string) => handler(await buyEvent(time.now, { claims: { sub } }))
    forwardedOf(await send('ann'))
    for (let i = 0; i < 5; i++) refusalOf(await send('bob'))
    time.now += 1000
    forwardedOf(await send('bob'))
  })

  it('counts each sale separately', async () => {
    const { handler, store, time } = openGate(twoPer(10))
    store.sales['other-sale'] = { ...openSaleFacts, ...twoPer(10) }
    for (const uri of ['/api/sales/phone-42/orders', '/api/sales/other-sale/orders']) {
      forwardedOf(await handler(await buyEvent(time.now, { uri })))
      forwardedOf(await handler(await buyEvent(time.now, { uri })))
      expect(refusalOf(await handler(await buyEvent(time.now, { uri }))).code).toBe('too-many-requests')
    }
  })
})
