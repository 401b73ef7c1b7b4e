import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Phase } from '../../core/phase.ts'
import { clockDue, sampledFor } from '../../static/client/shop-clock.ts'

const startsAt = 1_000_000_000
const facts = (now: number, spread: number, phase: Phase | undefined = 'scheduled') => {
  return { phase, confirmed: true, now, startsAt, spread }
}

/** When a page that waits from a minute before the start asks anew, in ms before the start. */
function asksAt(spread: number): number[] {
  const asked: number[] = []
  let before = sampledFor(facts(startsAt - 60_000, spread))
  for (let now = startsAt - 60_000; now < startsAt + 60_000; now += 100) {
    if (!clockDue(facts(now, spread), before)) continue
    asked.push(startsAt - now)
    before = sampledFor(facts(now, spread))
  }
  return asked
}

describe('asking the shop’s time', () => {
  it('happens as the page opens, before anything is known', () => {
    expect(clockDue(facts(startsAt - 3_600_000, 0.5, undefined), undefined)).toBe(true)
    expect(clockDue(facts(startsAt - 3_600_000, 0.5), 'far')).toBe(false)
  })

  it('spreads a crowd over 20 s: a million waiting pages do not all ask 30 s before the start (C5)', () => {
    const pages = Array.from({ length: 1000 }, (_, i) => asksAt(i / 1000))
    expect(pages.every((asked) => asked.length === 1)).toBe(true)
    const perSecond = new Map<number, number>()
    for (const [ahead = 0] of pages) {
      const second = Math.floor(ahead / 1000)
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
    }
    expect(perSecond.size).toBeGreaterThanOrEqual(20)
    expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(60)
  })

  it('happens once more before the start on every page, 30 to 10 s ahead (C5)', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (spread) => {
        const [ahead = 0, ...more] = asksAt(spread)
        expect(more).toEqual([])
        expect(ahead).toBeLessThanOrEqual(30_000)
        expect(ahead).toBeGreaterThanOrEqual(9_900)
      }),
    )
  })

  it('happens again for a start that was moved, and not for one that was flipped on the spot', () => {
    const later = { ...facts(startsAt + 60_000, 0), startsAt: startsAt + 90_000 }
    expect(clockDue(later, startsAt)).toBe(true)
    expect(clockDue(facts(startsAt, 0, 'open'), 'far')).toBe(false)
  })

  it('is spared once the sale is over', () => {
    for (const phase of ['sold-out', 'ended', 'paused'] as const) {
      expect(clockDue(facts(startsAt, 0, phase), undefined)).toBe(false)
    }
  })

  it('is not spared while only the device’s own clock says that the sale is over', () => {
    expect(clockDue({ ...facts(startsAt, 0, 'ended'), confirmed: false }, undefined)).toBe(true)
  })
})
