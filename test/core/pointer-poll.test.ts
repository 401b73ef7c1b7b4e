import { describe, expect, it } from 'vitest'
import type { Phase } from '../../core/phase.ts'
import { nextPollMs } from '../../core/pointer-poll.ts'

const startsAt = 1_000_000_000
const usual = { armed: false, startsAt, nextStartsAt: null, hidden: false }
type Facts = Partial<Parameters<typeof nextPollMs>[0]>
const range = (phase: Phase | undefined, now: number, facts: Facts = {}) =>
  [0, 0.999999].map((random) => nextPollMs({ ...usual, phase, now, ...facts }, random))

describe('the next poll of the pointer', () => {
  it('comes every 5 s, spread by a second, while the start is far (C3)', () => {
    expect(range('scheduled', startsAt - 30_001)).toEqual([4000, 6000])
  })

  it('comes about every 700 ms from 30 s before the start until the flag is flipped (C5)', () => {
    expect(range('scheduled', startsAt - 30_000)).toEqual([600, 800])
    expect(range('scheduled', startsAt + 60_000)).toEqual([600, 800])
    expect(range('draft', startsAt)).toEqual([600, 800])
  })

  it('stays slow until the very start on a page that knows it, which opens by its clock alone (C5)', () => {
    for (const phase of ['scheduled', 'draft', undefined] as const) {
      expect(range(phase, startsAt - 30_000, { armed: true }), phase).toEqual([4000, 6000])
      expect(range(phase, startsAt - 1, { armed: true }), phase).toEqual([4000, 6000])
    }
    expect(range('scheduled', startsAt, { armed: true })).toEqual([600, 800])
    // A clock that is slow: the pointer says that the start is over.
    expect(range('sold-out', startsAt - 1, { armed: true })).toEqual([8000, 12_000])
  })

  it('slows down when the marketer is minutes late', () => {
    expect(range('scheduled', startsAt + 120_000)).toEqual([1600, 2400])
  })

  it('is slow again once the sale is open', () => {
    expect(range('open', startsAt + 1)).toEqual([4000, 6000])
  })

  it('continues slowly after the sale sold out, for units that are returned (C8)', () => {
    expect(range('sold-out', startsAt + 1)).toEqual([8000, 12_000])
  })

  it('is fast again around the next window, which may begin as this one ends (R7)', () => {
    const next = startsAt + 3_600_000
    const at = (phase: Phase, now: number) =>
      nextPollMs({ ...usual, phase, armed: true, now, nextStartsAt: next }, 0)
    for (const phase of ['open', 'sold-out'] as const) expect(at(phase, next - 30_000), phase).toBe(600)
    expect(at('open', next - 30_001)).toBe(4000)
    expect(at('sold-out', next - 30_001)).toBe(8000)
    expect(at('ended', next)).toBe(8000)
  })

  it('is rare in a hidden tab', () => {
    for (const armed of [false, true]) {
      expect(range('scheduled', startsAt - 1, { hidden: true, armed })).toEqual([15_000, 25_000])
    }
  })
})
