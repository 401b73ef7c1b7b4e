import { describe, expect, it } from 'vitest'
import { buy, forwardedOf, openGate, openSale, orderChange, refusalOf, startOfTests } from '../support.ts'

describe('the throttle per shopper', () => {
  it('lets five requests a minute through and names the second of the next one (R2)', async () => {
    const { handler, time } = openGate()
    const send = async () => handler(await buy(time.now))
    for (let i = 0; i < 5; i++) {
      forwardedOf(await send())
      time.now += 1000
    }
    const refusal = refusalOf(await send())
    expect(refusal).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(refusal.headers['retry-after']).toBe('55')
    expect(refusal.body.retryAfterSeconds).toBe(55)
  })

  it('lets a shopper in who waited exactly as told, and not a millisecond earlier (R2)', async () => {
    const { handler, time } = openGate({ throttleLimit: 1, throttleWindowSeconds: 10 })
    const send = async () => handler(await buy(time.now))
    forwardedOf(await send())
    time.now = startOfTests + 9999
    expect(refusalOf(await send()).headers['retry-after']).toBe('1')
    time.now = startOfTests + 10_000
    forwardedOf(await send())
  })

  it('does not count refused requests: impatience costs nothing but the refusals', async () => {
    const { handler, time } = openGate({ throttleLimit: 1, throttleWindowSeconds: 10 })
    forwardedOf(await handler(await buy(time.now)))
    for (let i = 1; i < 100; i++) {
      time.now = startOfTests + i * 100
      expect(refusalOf(await handler(await buy(time.now))).code).toBe('too-many-requests')
    }
    time.now = startOfTests + 10_000
    forwardedOf(await handler(await buy(time.now)))
  })

  it('counts each shopper apart, by who they are and not by their token (R2)', async () => {
    const { handler, time } = openGate({ throttleLimit: 1 })
    forwardedOf(await handler(await buy(time.now, { claims: { sub: 'ann' } })))
    forwardedOf(await handler(await buy(time.now, { claims: { sub: 'bob' } })))
    const again = await handler(await buy(time.now, { claims: { sub: 'ann', jti: 'another token' } }))
    expect(refusalOf(again).code).toBe('too-many-requests')
  })

  it('counts each sale apart', async () => {
    const { handler, store, time } = openGate({ throttleLimit: 1 })
    store.sales['other-sale'] = { ...openSale, throttleLimit: 1 }
    forwardedOf(await handler(await buy(time.now)))
    forwardedOf(await handler(await buy(time.now, { uri: '/api/sales/other-sale/orders' })))
  })

  it('lets an honest page ask once a second until its order is written, and no script more than that', async () => {
    const { handler, time } = openGate()
    const send = async (sub: string) => handler(await orderChange(time.now, { claims: { sub } }))
    for (let i = 0; i < 30; i++) {
      forwardedOf(await send('ann'))
      time.now += 1000
    }
    expect(refusalOf(await send('ann'))).toMatchObject({ status: 429, headers: { 'retry-after': '30' } })
    forwardedOf(await send('bob'))
  })

  it('counts purchases and what is done to orders apart', async () => {
    const { handler, time } = openGate({ throttleLimit: 1 })
    forwardedOf(await handler(await buy(time.now)))
    forwardedOf(await handler(await orderChange(time.now)))
    expect(refusalOf(await handler(await buy(time.now))).code).toBe('too-many-requests')
    forwardedOf(await handler(await orderChange(time.now)))
  })
})
