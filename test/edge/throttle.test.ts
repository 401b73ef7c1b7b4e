import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseShopperId } from '../../core/ids.ts'
import { createThrottle } from '../../edge/throttle.ts'
import { saleId, startOfTests } from './support.ts'

const ann = parseShopperId('ann')

describe('the throttle', () => {
  it('admits at most the limit in any window, wherever the window begins (R2)', () => {
    if (ann === undefined) throw new Error('ann is a shopper')
    const gaps = fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 10 }),
        (steps, limit, windowSeconds) => {
          let now = startOfTests
          const throttle = createThrottle(() => now)
          const admitted: number[] = []
          for (const step of steps) {
            now += step
            const wait = throttle.waitSeconds(saleId, ann, { limit, windowSeconds })
            const inWindow = admitted.filter((time) => now - time < windowSeconds * 1000)
            expect(wait === 0).toBe(inWindow.length < limit)
            if (wait === 0) admitted.push(now)
            else {
              const free = (inWindow.at(-limit) ?? 0) + windowSeconds * 1000
              expect(now + wait * 1000).toBeGreaterThanOrEqual(free)
              expect(now + (wait - 1) * 1000).toBeLessThan(free)
            }
          }
        },
      ),
    )
  })

  it('follows a limit that the marketer lowers or raises', () => {
    if (ann === undefined) throw new Error('ann is a shopper')
    const throttle = createThrottle(() => startOfTests)
    const ask = (limit: number) => throttle.waitSeconds(saleId, ann, { limit, windowSeconds: 60 })
    expect([ask(3), ask(3), ask(3), ask(3)]).toEqual([0, 0, 0, 60])
    expect(ask(1)).toBe(60)
    expect([ask(4), ask(4)]).toEqual([0, 60])
  })
})
