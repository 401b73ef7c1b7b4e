import { describe, expect, it } from 'vitest'
import { outcomes } from '../../../core/outcome.ts'
import type { GateFacts } from '../../../edge/memory/gate-store.ts'
import { forwardedOf, openGate, refusalOf, ruled, saleId, startOfTests } from '../support.ts'

describe('the phase check', () => {
  it('refuses all requests while the start flag is off, and reads the store at most a few times a second, also for invented start tokens (G2)', async () => {
    const { buy, store, time } = openGate({ flag: 'off', epoch: 0, startToken: null })
    for (let i = 0; i < 100; i++) {
      const refusal = refusalOf(await buy({ token: 'not.a.token' }))
      expect(refusal).toMatchObject({ status: 425, code: 'not-started', body: { now: time.now } })
      time.now += 4
    }
    const forNewerOpenings = 4
    expect(store.reads.length).toBeLessThanOrEqual(1 + forNewerOpenings)
  })

  it('answers unavailable from memory while the sale is frozen, with any flag (I6)', async () => {
    for (const flag of ['on', 'off', 'paused', 'closed'] as const) {
      const { buy, store } = openGate({ frozen: true, flag })
      for (let i = 0; i < 20; i++) {
        const refusal = refusalOf(await buy({ token: 'x.y.z' }))
        expect(refusal).toMatchObject({ status: 503, code: 'unavailable' })
        expect(['1', '2', '3']).toContain(refusal.headers['retry-after'])
      }
      expect(store.reads).toHaveLength(1)
    }
  })

  it('returns unspent admissions while the stock is recovered: each might count for a lost unit (I2)', async () => {
    const { buy, store, time } = openGate()
    store.replenish(saleId, 1024)
    forwardedOf(await buy())
    for (const sale of Object.values(store.sales)) sale.frozen = true
    store.replenish(saleId, 0)
    time.now += 1001
    for (let i = 0; i < 3; i++) refusalOf(await buy())
    expect(store.asks.slice(1)).toMatchObject([{ waiting: 0, returned: { count: 3 } }])
  })

  it.each<[string, string, Partial<GateFacts>]>([
    ['forwarded', 'at its start', { startsAt: startOfTests }],
    ['not-started', 'a millisecond before it', { startsAt: startOfTests + 1 }],
    ['forwarded', 'a millisecond before its end', { endsAt: startOfTests + 1 }],
    ['ended', 'at its end', { endsAt: startOfTests }],
    ['not-started', 'between two windows', { endsAt: startOfTests - 1, nextStartsAt: startOfTests + 60_000 }],
    ['paused', 'while it is paused', { flag: 'paused' }],
    ['ended', 'once it is closed', { flag: 'closed' }],
  ])('answers %s %s, without another action of the marketer (G3, C5, R7)', async (expected, _, facts) => {
    const { buy } = openGate(facts)
    const answer = await buy()
    if ('uri' in answer) {
      expect('forwarded').toBe(expected)
      return
    }
    const { status, code, body } = refusalOf(answer)
    expect([status, code]).toEqual([outcomes[expected as keyof typeof outcomes].status, expected])
    if (expected === 'not-started') expect(body.now).toBe(startOfTests)
  })
})

describe('the phase in which a challenge may be fetched', () => {
  const fetch = async (facts: Parameters<typeof openGate>[0]) => {
    const { fetchChallenge } = openGate({ ...ruled({ challenge: 'pow' }), ...facts })
    const answer = await fetchChallenge()
    return 'uri' in answer || answer.status === '200' ? 'answered' : refusalOf(answer).code
  }

  it('is before the start, between two windows and during the sale (R5, R7)', async () => {
    expect(await fetch({ flag: 'off' })).toBe('answered')
    expect(await fetch({ startsAt: startOfTests + 1000 })).toBe('answered')
    expect(await fetch({ endsAt: startOfTests - 1, nextStartsAt: startOfTests + 1000 })).toBe('answered')
    expect(await fetch({})).toBe('answered')
  })

  it('ends when nothing can be bought any more, and is interrupted by a pause', async () => {
    expect(await fetch({ flag: 'closed' })).toBe('ended')
    expect(await fetch({ endsAt: startOfTests })).toBe('ended')
    expect(await fetch({ flag: 'paused' })).toBe('paused')
    expect(await fetch({ frozen: true })).toBe('unavailable')
  })
})
