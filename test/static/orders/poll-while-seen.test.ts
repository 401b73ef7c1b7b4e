import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pollWhileSeen } from '../../../static/orders/poll-while-seen.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A page whose looks take 100 ms each and ask for the next one after `waitMs`. */
function page(waitMs: number | undefined) {
  let looks = 0
  let open = 0
  let most = 0
  const seen = { hidden: false }
  const watch = pollWhileSeen({
    hidden: () => seen.hidden,
    async read() {
      looks += 1
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setTimeout(resolve, 100))
      open -= 1
      return waitMs
    },
  })
  return { watch, seen, looks: () => looks, most: () => most }
}

describe('looking out for changes', () => {
  it('looks at once, and again after each wait', async () => {
    const { watch, looks } = page(1000)
    watch.now()
    expect(looks()).toBe(1)
    await vi.advanceTimersByTimeAsync(1099)
    expect(looks()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(looks()).toBe(2)
  })

  it('stops when a look says so, and looks again on return', async () => {
    const { watch, looks } = page(undefined)
    watch.now()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(looks()).toBe(1)
    watch.now()
    expect(looks()).toBe(2)
  })

  it('asks nothing in a hidden tab, and at once when it is seen (L1)', async () => {
    const { watch, seen, looks } = page(1000)
    watch.now()
    await vi.advanceTimersByTimeAsync(50)
    seen.hidden = true
    watch.rest()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(looks()).toBe(1)
    seen.hidden = false
    watch.now()
    await vi.advanceTimersByTimeAsync(1100)
    expect(looks()).toBe(3)
  })

  it('drops the look that was planned when the page goes out of sight', async () => {
    const { watch, looks } = page(1000)
    watch.now()
    await vi.advanceTimersByTimeAsync(500)
    watch.rest()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(looks()).toBe(1)
  })

  it('never has two questions open: a look that was asked for meanwhile follows the one under way', async () => {
    const { watch, looks, most } = page(1000)
    watch.now()
    watch.now()
    watch.now()
    await vi.advanceTimersByTimeAsync(250)
    expect(looks()).toBe(2)
    expect(most()).toBe(1)
    await vi.advanceTimersByTimeAsync(950)
    expect(looks()).toBe(3)
  })
})
