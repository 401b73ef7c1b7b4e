import { describe, expect, it } from 'vitest'
import { buy, forwardedOf, openGate, openSale, refusalOf, startOfTests, throttled } from '../support.ts'

const twoPer = (windowSeconds: number) => throttled({ perSale: { limit: 2, windowSeconds } })

describe('the limit per sale', () => {
  it('lets so many through in a window and tells the rest when it is over, to the second (R4)', async () => {
    const { handler, time } = openGate(twoPer(10))
    const send = async (sub: string) => handler(await buy(time.now, { claims: { sub } }))
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

  it('is filled only by what passed the limits before it: abuse does not starve the others (R4)', async () => {
    const { handler, time } = openGate({
      ...throttled({ perShopper: { limit: 1, windowSeconds: 60 }, perSale: { limit: 2, windowSeconds: 60 } }),
    })
    const send = async (sub: string) => handler(await buy(time.now, { claims: { sub } }))
    forwardedOf(await send('greedy'))
    for (let i = 0; i < 50; i++) refusalOf(await send('greedy'))
    for (let i = 0; i < 50; i++) refusalOf(await handler(await buy(time.now, { token: 'no.such.token' })))
    forwardedOf(await send('ann'))
  })

  it('counts each sale apart', async () => {
    const { handler, store, time } = openGate(twoPer(10))
    store.sales['other-sale'] = { ...openSale, ...twoPer(10) }
    for (const uri of ['/api/sales/phone-42/orders', '/api/sales/other-sale/orders']) {
      forwardedOf(await handler(await buy(time.now, { uri })))
      forwardedOf(await handler(await buy(time.now, { uri })))
      expect(refusalOf(await handler(await buy(time.now, { uri }))).code).toBe('too-many-requests')
    }
  })
})
