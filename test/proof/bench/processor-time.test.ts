import { describe, expect, it } from 'vitest'
import { loadOfOthers, readLoad } from '../../../proof/bench/processor-time.ts'

describe('the load of other programs', () => {
  it('excludes this process, and is counted in processors', () => {
    const before = { at: 1000, all: 50_000, own: 7000 }
    expect(loadOfOthers(before, { at: 3000, all: 53_000, own: 9500 })).toBe(0.25)
  })

  it('is never negative, although ticks are rounded', () => {
    const before = { at: 1000, all: 50_000, own: 7000 }
    expect(loadOfOthers(before, { at: 2000, all: 51_000, own: 8010 })).toBe(0)
  })

  it('counts the work of this process as its own', () => {
    const before = readLoad()
    for (const until = process.cpuUsage().user + 200_000; process.cpuUsage().user < until; );
    const after = readLoad()
    expect((after?.own ?? 0) - (before?.own ?? 0)).toBeGreaterThanOrEqual(150)
  })
})
