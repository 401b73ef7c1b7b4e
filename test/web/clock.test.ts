import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shopClock } from '../../web/clock.ts'

const hourMs = 3_600_000
const startsAt = 1_000_000_000

/** A device whose clock is `fastMs` fast; `answer` is one that took `there` and `back` ms. */
function device(fastMs: number) {
  let truth = startsAt
  const clock = shopClock(() => truth + fastMs)
  const answer = (there: number, back: number) => {
    const sentAt = truth + fastMs
    const serverNow = truth + there
    truth += there + back
    clock.take({ sentAt, receivedAt: truth + fastMs, serverNow })
  }
  return { clock, answer, offMs: () => Math.abs(clock.now() - truth), wait: (ms: number) => (truth += ms) }
}

describe('the shop clock in a browser', () => {
  it('is the device’s own until an answer came, and then the shop’s (C5)', () => {
    const { clock, answer, offMs } = device(hourMs)
    expect(clock.asked()).toBe(false)
    expect(offMs()).toBe(hourMs)
    answer(10, 10)
    expect(clock.asked()).toBe(true)
    expect(offMs()).toBe(0)
  })

  it('believes the sample with the smallest round trip (C5)', () => {
    const { answer, offMs } = device(-hourMs)
    answer(10, 30)
    expect(offMs()).toBe(10)
    answer(0, 800)
    expect(offMs()).toBe(10)
    answer(10, 10)
    expect(offMs()).toBe(0)
  })

  it('is off by at most half the smallest round trip, whichever way the delay falls (C5)', () => {
    const trips = fc.array(fc.record({ there: fc.nat(2000), back: fc.nat(2000) }), { minLength: 1 })
    fc.assert(
      fc.property(trips, fc.integer({ min: -1e9, max: 1e9 }), (all, fastMs) => {
        const { answer, offMs } = device(fastMs)
        for (const { there, back } of all) answer(there, back)
        const half = Math.min(...all.map(({ there, back }) => there + back)) / 2
        // Drift makes an older sample that is a little better lose against a newer one.
        const driftMs = all.reduce((sum, { there, back }) => sum + there + back, 0) * 1e-4
        expect(offMs()).toBeLessThanOrEqual(half + driftMs + 1e-6)
      }),
    )
  })

  it('prefers a new sample after an hour to an old one that was 100 ms quicker: clocks drift', () => {
    const { answer, offMs, wait } = device(0)
    answer(0, 0)
    wait(hourMs)
    answer(0, 100)
    expect(offMs()).toBe(50)
  })

  it('takes the next sample after a doubt, also one that differs, and keeps the time until then', () => {
    const { clock, answer, offMs } = device(hourMs)
    answer(0, 0)
    clock.doubt()
    expect(offMs()).toBe(0)
    answer(0, 3000)
    expect(offMs()).toBe(1500)
  })

  it('knows nothing from an answer without a time or with one that is no number', () => {
    const { clock, offMs } = device(hourMs)
    clock.take(undefined)
    clock.take({ sentAt: 0, receivedAt: 5, serverNow: Number.NaN })
    clock.take({ sentAt: 10, receivedAt: 5, serverNow: 1 })
    expect(clock.asked()).toBe(true)
    expect(offMs()).toBe(hourMs)
  })
})
