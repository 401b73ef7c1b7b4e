import { describe, expect, it } from 'vitest'
import type { Phase } from '../../core/phase.ts'
import { nextPollMs } from '../../static/client/poll.ts'

const startsAt = 1_000_000_000
const range = (phase: Phase | undefined, now: number, hidden = false) =>
  [0, 0.999999].map((random) => nextPollMs({ phase, now, startsAt, nextStartsAt: null, hidden }, random))

describe('the next look at the pointer', () => {
  it('comes every 5 s, spread by a second, while the start is far (C3)', () => {
    expect(range('scheduled', startsAt - 30_001)).toEqual([4000, 6000])
  })

  it('comes about every 700 ms from 30 s before the start until it opens (C5)', () => {
    expect(range('scheduled', startsAt - 30_000)).toEqual([600, 800])
    expect(range('scheduled', startsAt + 60_000)).toEqual([600, 800])
    expect(range('draft', startsAt)).toEqual([600, 800])
  })

  it('eases off when the marketer is minutes late', () => {
    expect(range('scheduled', startsAt + 120_000)).toEqual([1600, 2400])
  })

  it('is calm again once the sale is open', () => {
    expect(range('open', startsAt + 1)).toEqual([4000, 6000])
  })

  it('goes on slowly after the sale sold out, for units that come back (C8)', () => {
    expect(range('sold-out', startsAt + 1)).toEqual([8000, 12_000])
  })

  it('comes often again around the next window, which may begin as this one ends (R7)', () => {
    const next = startsAt + 3_600_000
    const at = (phase: Phase, now: number) =>
      nextPollMs({ phase, now, startsAt, nextStartsAt: next, hidden: false }, 0)
    for (const phase of ['open', 'sold-out'] as const) expect(at(phase, next - 30_000), phase).toBe(600)
    expect(at('open', next - 30_001)).toBe(4000)
    expect(at('sold-out', next - 30_001)).toBe(8000)
    expect(at('ended', next)).toBe(8000)
  })

  it('is rare in a tab nobody sees', () => {
    expect(range('scheduled', startsAt, true)).toEqual([15_000, 25_000])
  })
})
