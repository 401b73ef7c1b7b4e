import { describe, expect, it } from 'vitest'
import { forwardedOf, openGate, refusalOf, saleId, unthrottled } from '../support.ts'

describe('the rate of a sale at the gate (R4)', () => {
  it('refuses with a short wait, and admits again in the next second', async () => {
    const { buy, store, time } = openGate(unthrottled)
    store.replenish(saleId, 1000, { rate: 2 })
    const send = async (sub: string) => buy({ claims: { sub } })
    forwardedOf(await send('ann'))
    forwardedOf(await send('bob'))
    const refusal = refusalOf(await send('cid'))
    expect(refusal).toMatchObject({ status: 429, code: 'at-capacity' })
    expect(['1', '2']).toContain(refusal.headers['retry-after'])
    time.now += 2000
    forwardedOf(await send('cid'))
  })

  it('is not used up by requests that fail another check: abuse does not starve honest shoppers', async () => {
    const { buy, store } = openGate(unthrottled)
    store.replenish(saleId, 1000, { rate: 1 })
    const wrong = [
      { headers: { origin: 'https://evil.example' } },
      { body: '{}' },
      { token: 'no.such.token' },
      { body: JSON.stringify({ quantity: 1, startToken: 'x'.repeat(38) }) },
    ]
    for (const [nth, change] of wrong.entries()) {
      refusalOf(await buy({ claims: { sub: `fool-${nth}` }, ...change }))
    }
    expect(store.asks).toHaveLength(0)
    forwardedOf(await buy({ claims: { sub: 'ann' } }))
  })

  it('does not count against a shopper whom it refuses (R2)', async () => {
    const { buy, store, time } = openGate({
      rules: {
        ...unthrottled.rules,
        throttle: { ...unthrottled.rules.throttle, perShopper: { limit: 1, windowSeconds: 60 } },
      },
    })
    store.replenish(saleId, 1000, { rate: 1 })
    const send = async (sub: string) => buy({ claims: { sub } })
    for (let turn = 0; turn < 5; turn += 1) {
      forwardedOf(await send(`other-${turn}`))
      expect(refusalOf(await send('ann')).code).toBe('at-capacity')
      time.now += 2000
    }
    forwardedOf(await send('ann'))
  })
})
