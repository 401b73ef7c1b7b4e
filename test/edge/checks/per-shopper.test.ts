import { describe, expect, it } from 'vitest'
import { forwardedOf, openGate, openSaleFacts, refusalOf, throttled } from '../support.ts'

const oncePer = (windowSeconds: number) => throttled({ perShopper: { limit: 1, windowSeconds } })

describe('the throttle per shopper', () => {
  it('admits five requests a minute and names the second of the next one (R2)', async () => {
    const { buy, time } = openGate()
    const send = async () => buy()
    for (let i = 0; i < 5; i++) {
      forwardedOf(await send())
      time.now += 1000
    }
    const refusal = refusalOf(await send())
    expect(refusal).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(refusal.headers['retry-after']).toBe('55')
    expect(refusal.body.retryAfterSeconds).toBe(55)
  })

  it('counts each shopper separately, by identity and not by token (R2)', async () => {
    const { buy } = openGate(oncePer(60))
    forwardedOf(await buy({ claims: { sub: 'ann' } }))
    forwardedOf(await buy({ claims: { sub: 'bob' } }))
    const again = await buy({ claims: { sub: 'ann', jti: 'another token' } })
    expect(refusalOf(again).code).toBe('too-many-requests')
  })

  it('counts each sale separately', async () => {
    const { buy, store } = openGate(oncePer(60))
    store.sales['other-sale'] = { ...openSaleFacts, ...oncePer(60) }
    forwardedOf(await buy())
    forwardedOf(await buy({ uri: '/api/sales/other-sale/orders' }))
  })

  it('counts buy requests and order changes separately', async () => {
    const { buy, changeOrder } = openGate(oncePer(60))
    forwardedOf(await buy())
    forwardedOf(await changeOrder())
    expect(refusalOf(await buy()).code).toBe('too-many-requests')
    forwardedOf(await changeOrder())
  })
})
