import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPointWindows } from '../../../edge/memory/point-windows.ts'
import { startOfTests } from '../support.ts'

describe('points in a window', () => {
  it('refuse a key from the limit on, until its window ends, to the whole second', () => {
    const step = fc.record({ passMs: fc.integer({ min: 0, max: 3000 }), points: fc.integer({ min: 1, max: 5 }) })
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 100 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 5 }),
        (steps, limit, windowSeconds) => {
          const windows = createPointWindows(100)
          const rule = { limit, windowSeconds }
          let now = startOfTests
          let window: { startedAt: number; points: number } | undefined
          for (const { passMs, points } of steps) {
            now += passMs
            if (window !== undefined && now - window.startedAt >= windowSeconds * 1000) window = undefined
            const leftMs = window === undefined ? 0 : window.startedAt + windowSeconds * 1000 - now
            const isOut = window !== undefined && window.points >= limit
            expect(windows.waitSeconds('a', rule, now)).toBe(isOut ? Math.ceil(leftMs / 1000) : 0)
            expect(windows.waitSeconds('b', rule, now)).toBe(0)
            windows.add('a', points, rule, now)
            if (window === undefined) window = { startedAt: now, points }
            else window.points += points
          }
        },
      ),
    )
  })

  it('do not refuse a key for ever when the clock is set back', () => {
    const windows = createPointWindows(100)
    const rule = { limit: 1, windowSeconds: 60 }
    windows.add('a', 1, rule, startOfTests)
    expect(windows.waitSeconds('a', rule, startOfTests)).toBe(60)
    expect(windows.waitSeconds('a', rule, startOfTests - 3_600_000)).toBe(0)
  })

  it('are remembered for a bounded number of keys, the latest of them', () => {
    const windows = createPointWindows(1000)
    const rule = { limit: 1, windowSeconds: 3600 }
    const keys = Array.from({ length: 20_000 }, (_, at) => `key-${at}`)
    for (const key of keys) windows.add(key, 1, rule, startOfTests)
    const remembered = (some: string[]) => some.filter((key) => windows.waitSeconds(key, rule, startOfTests) > 0)
    expect(remembered(keys.slice(-1000))).toHaveLength(1000)
    expect(remembered(keys.slice(0, 18_000))).toEqual([])
  })
})
