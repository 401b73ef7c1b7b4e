import { describe, expect, it } from 'vitest'
import {
  buyEvent,
  challengeEvent,
  forwardedOf,
  openGate,
  openSaleFacts,
  orderChangeEvent,
  refusalOf,
  ruled,
  saleId,
  startOfTests,
  throttled,
} from '../support.ts'

const oncePer = (windowSeconds: number) => throttled({ perShopper: { limit: 1, windowSeconds } })

describe('the throttle per shopper', () => {
  it('admits five requests a minute and names the second of the next one (R2)', async () => {
    const { handler, time } = openGate()
    const send = async () => handler(await buyEvent(time.now))
    for (let i = 0; i < 5; i++) {
      forwardedOf(await send())
      time.now += 1000
    }
    const refusal = refusalOf(await send())
    expect(refusal).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(refusal.headers['retry-after']).toBe('55')
    expect(refusal.body.retryAfterSeconds).toBe(55)
  })

  it('accepts a shopper after exactly Retry-After, and not a millisecond earlier (R2)', async () => {
    const { handler, time } = openGate(oncePer(10))
    const send = async () => handler(await buyEvent(time.now))
    forwardedOf(await send())
    time.now = startOfTests + 9999
    expect(refusalOf(await send()).headers['retry-after']).toBe('1')
    time.now = startOfTests + 10_000
    forwardedOf(await send())
  })

  it('does not count refused requests: impatience costs nothing but the refusals', async () => {
    const { handler, time } = openGate(oncePer(10))
    forwardedOf(await handler(await buyEvent(time.now)))
    for (let i = 1; i < 100; i++) {
      time.now = startOfTests + i * 100
      expect(refusalOf(await handler(await buyEvent(time.now))).code).toBe('too-many-requests')
    }
    time.now = startOfTests + 10_000
    forwardedOf(await handler(await buyEvent(time.now)))
  })

  it('counts each shopper separately, by identity and not by token (R2)', async () => {
    const { handler, time } = openGate(oncePer(60))
    forwardedOf(await handler(await buyEvent(time.now, { claims: { sub: 'ann' } })))
    forwardedOf(await handler(await buyEvent(time.now, { claims: { sub: 'bob' } })))
    const again = await handler(await buyEvent(time.now, { claims: { sub: 'ann', jti: 'another token' } }))
    expect(refusalOf(again).code).toBe('too-many-requests')
  })

  it('counts each sale separately', async () => {
    const { handler, store, time } = openGate(oncePer(60))
    store.sales['other-sale'] = { ...openSaleFacts, ...oncePer(60) }
    forwardedOf(await handler(await buyEvent(time.now)))
    forwardedOf(await handler(await buyEvent(time.now, { uri: '/api/sales/other-sale/orders' })))
  })

  it('allows an order page one read a second, and no script more than that', async () => {
    const { handler, time } = openGate()
    const send = async (sub: string) => handler(await orderChangeEvent(time.now, { claims: { sub } }))
    for (let i = 0; i < 30; i++) {
      forwardedOf(await send('ann'))
      time.now += 1000
    }
    expect(refusalOf(await send('ann'))).toMatchObject({ status: 429, headers: { 'retry-after': '30' } })
    forwardedOf(await send('bob'))
  })

  it('counts buy requests and order changes separately', async () => {
    const { handler, time } = openGate(oncePer(60))
    forwardedOf(await handler(await buyEvent(time.now)))
    forwardedOf(await handler(await orderChangeEvent(time.now)))
    expect(refusalOf(await handler(await buyEvent(time.now))).code).toBe('too-many-requests')
    forwardedOf(await handler(await orderChangeEvent(time.now)))
  })

  it('allows a page ten challenges a minute, besides its buy requests', async () => {
    const { handler, store, time } = openGate(ruled({ challenge: 'pow' }))
    store.sales['other-sale'] = { ...openSaleFacts, ...ruled({ challenge: 'pow' }) }
    const ask = async (sale: string) =>
      handler(await challengeEvent(time.now, { uri: `/api/sales/${sale}/challenge` }))
    for (let i = 0; i < 10; i++) {
      expect(await ask(saleId)).toMatchObject({ status: '200' })
      time.now += 1000
    }
    expect(refusalOf(await ask(saleId))).toMatchObject({
      status: 429,
      headers: { 'retry-after': '50' },
      body: { retryAfterSeconds: 50 },
    })
    expect(await ask('other-sale')).toMatchObject({ status: '200' })
    expect(refusalOf(await handler(await buyEvent(time.now))).code).toBe('challenge-required')
  })
})
