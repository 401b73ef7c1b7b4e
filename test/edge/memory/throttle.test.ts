import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShopperId } from '../../../core/ids.ts'
import { createThrottle } from '../../../edge/memory/throttle.ts'
import { saleId, shopperIdOf, startOfTests } from '../support.ts'

const ann = shopperIdOf('ann')

function openThrottle() {
  const time = { now: startOfTests }
  const throttle = createThrottle(() => time.now)
  const judge = (limit: number, windowSeconds = 60, who = ann) => throttle.judge(saleId, who, { limit, windowSeconds })
  /** 0 for a request that passed, else the seconds to wait. */
  const wait = (...asked: Parameters<typeof judge>) => {
    const pace = judge(...asked)
    return pace.kind === 'passed' ? 0 : pace.waitSeconds
  }
  const isStubborn = (...asked: Parameters<typeof judge>) => {
    const pace = judge(...asked)
    return pace.kind === 'too-fast' && pace.ignoresRetryAfter
  }
  return { time, throttle, wait, isStubborn }
}

describe('the throttle', () => {
  it('admits at most the limit in any window, wherever the window begins (R2)', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 10 }),
        (steps, limit, windowSeconds) => {
          const { time, wait } = openThrottle()
          const admitted: number[] = []
          for (const step of steps) {
            time.now += step
            const seconds = wait(limit, windowSeconds)
            const inWindow = admitted.filter((at) => time.now - at < windowSeconds * 1000)
            expect(seconds === 0).toBe(inWindow.length < limit)
            if (seconds === 0) admitted.push(time.now)
            else {
              const free = (inWindow.at(-limit) ?? 0) + windowSeconds * 1000
              expect(time.now + seconds * 1000).toBeGreaterThanOrEqual(free)
              expect(time.now + (seconds - 1) * 1000).toBeLessThan(free)
            }
          }
        },
      ),
    )
  })

  it('follows a limit that the marketer lowers or raises', () => {
    const { wait } = openThrottle()
    expect([wait(3), wait(3), wait(3), wait(3)]).toEqual([0, 0, 0, 60])
    expect(wait(1)).toBe(60)
    expect([wait(4), wait(4)]).toEqual([0, 60])
  })

  it('forgets future times when the clock was set back', () => {
    const { time, wait } = openThrottle()
    expect([wait(1), wait(1)]).toEqual([0, 60])
    time.now -= 3_600_000
    expect([wait(1), wait(1)]).toEqual([0, 60])
  })

  it('does not report a shopper who waits for Retry-After', () => {
    const { time, wait, isStubborn } = openThrottle()
    for (let round = 0; round < 20; round++) {
      expect(wait(1, 10)).toBe(0)
      time.now += 5000
      expect(isStubborn(1, 10)).toBe(false)
      time.now += 5000
    }
  })

  it('reports a shopper who returns twice before the wait is over, once a window', () => {
    const { time, wait, isStubborn } = openThrottle()
    wait(1)
    expect([1, 2, 3, 4, 5].map(() => isStubborn(1))).toEqual([false, false, true, false, false])
    time.now += 60_000
    expect(wait(1)).toBe(0)
    expect([1, 2, 3, 4].map(() => isStubborn(1))).toEqual([false, false, true, false])
  })

  it('reports a shopper at most once a window, although some requests pass', () => {
    const { time, isStubborn } = openThrottle()
    let called = 0
    // One request every second, of which every tenth passes: five penalties in five windows.
    for (let second = 0; second < 50; second++) {
      if (isStubborn(1, 10)) called += 1
      time.now += 1000
    }
    expect(called).toBe(5)
  })

  it('remembers a bounded number of shoppers, the latest of them (R2)', () => {
    const { wait, throttle } = openThrottle()
    const crowd = Array.from({ length: 100_000 }, (_, index) => shopperIdOf(`shopper-${index}`))
    expect(crowd.filter((one) => wait(1, 3600, one) > 0)).toEqual([])
    const waits = (some: ShopperId[]) =>
      some.filter((one) => throttle.waitSeconds(saleId, one, { limit: 1, windowSeconds: 3600 }) > 0)
    expect(waits(crowd.slice(0, 50_000))).toEqual([])
    expect(waits(crowd.slice(-25_000))).toHaveLength(25_000)
  })

  it('forgets no shopper because of requests that were taken back', () => {
    const { wait, throttle } = openThrottle()
    const rule = { limit: 1, windowSeconds: 3600 }
    expect(wait(1, 3600, ann)).toBe(0)
    const crowd = shopperIdOf('sent-away')
    for (let i = 0; i <= 1_000_000; i++) {
      const pace = throttle.judge(saleId, crowd, rule)
      if (pace.kind === 'passed') pace.undoCount()
    }
    expect(wait(1, 3600, ann)).toBe(3600)
  })

  it('remembers fewer shoppers where the limit makes their logs long', () => {
    const { wait } = openThrottle()
    const first = shopperIdOf('first')
    const fill = (who: ShopperId) => {
      for (let i = 0; i < 1000; i++) wait(1000, 3600, who)
    }
    fill(first)
    expect(wait(1000, 3600, first)).toBeGreaterThan(0)
    for (let i = 0; i < 1100; i++) fill(shopperIdOf(`shopper-${i}`))
    expect(wait(1000, 3600, first)).toBe(0)
    for (let i = 700; i < 1100; i++) {
      expect(wait(1000, 3600, shopperIdOf(`shopper-${i}`)), `shopper-${i}`).toBeGreaterThan(0)
    }
  })

  it('forgets no shopper because of requests that are out of their window', () => {
    const { wait, time } = openThrottle()
    expect(wait(1, 36_000, ann)).toBe(0)
    const busy = shopperIdOf('busy')
    for (let second = 0; second < 1100; second++) {
      for (let i = 0; i < 1000; i++) wait(1000, 1, busy)
      time.now += 1000
    }
    expect(wait(1, 36_000, ann)).toBe(36_000 - 1100)
  })
})
