import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clockOffsetMs, sampleClock } from '../../static/client/clock.ts'

describe('the shop clock in a browser', () => {
  it('believes the sample with the smallest round trip (C5)', () => {
    const slow = { sentAt: 0, receivedAt: 800, serverNow: 9_000_000 }
    const quick = { sentAt: 1000, receivedAt: 1020, serverNow: 5_001_010 }
    expect(clockOffsetMs([slow, quick])).toBe(5_000_000)
    expect(clockOffsetMs([quick, slow])).toBe(5_000_000)
  })

  it('is off by at most half the smallest round trip, whichever way the delay falls (C5)', () => {
    const trip = fc.record({ there: fc.nat(2000), back: fc.nat(2000), at: fc.nat(1e9) })
    fc.assert(
      fc.property(fc.array(trip, { minLength: 1 }), fc.integer({ min: -1e9, max: 1e9 }), (trips, truth) => {
        const samples = trips.map(({ there, back, at }) => {
          return { sentAt: at, receivedAt: at + there + back, serverNow: at + there + truth }
        })
        const half = Math.min(...trips.map(({ there, back }) => there + back)) / 2
        expect(Math.abs((clockOffsetMs(samples) ?? Number.NaN) - truth)).toBeLessThanOrEqual(half + 1e-6)
      }),
    )
  })

  it('knows nothing without a usable sample', () => {
    expect(clockOffsetMs([])).toBeUndefined()
    expect(clockOffsetMs([{ sentAt: 10, receivedAt: 5, serverNow: 1 }])).toBeUndefined()
  })

  it('is asked several times, tells after each answer, and a lost answer spoils only itself', async () => {
    const answers = [undefined, 500, 501]
    let now = 0
    const tick = () => {
      now += 5
      return now
    }
    const told: number[][] = []
    await sampleClock(
      async () => answers.shift(),
      tick,
      3,
      (samples) => told.push(samples.map(({ serverNow }) => serverNow)),
    )
    expect(told).toEqual([[500], [500, 501]])
  })
})
