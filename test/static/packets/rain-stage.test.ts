import { describe, expect, it } from 'vitest'
import type { ButtonState } from '../../../static/buy/button.ts'
import { dropCount, fallAgain, scatter, skyOf } from '../../../static/packets/rain-stage.ts'

/** Numbers that only look like chance, and are the same in every run. */
function numbers(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

describe('the packets on a stage', () => {
  it('are as many as the stage has room for, and never more than a cheap phone can move', () => {
    expect(dropCount(0, 0)).toBe(6)
    expect(dropCount(390, 372)).toBe(10)
    expect(dropCount(4000, 4000)).toBe(18)
  })

  it.each([6, 7, 10, 18])('lie apart from each other, each in a place of its own: %i of them', (count) => {
    for (const seed of [1, 2, 3]) {
      const drops = scatter(count, 1.05, numbers(seed))
      expect(drops).toHaveLength(count)
      for (const { x, y } of drops) {
        expect(Math.min(x, y, 1 - x, 1 - y)).toBeGreaterThan(0.02)
      }
      const nearest = drops.flatMap((one, i) =>
        drops.slice(i + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
      )
      expect(Math.min(...nearest)).toBeGreaterThan(0.07)
    }
  })

  it('are spread over the whole height when the rain begins, and not in a row at the top', () => {
    const shares = scatter(12, 1, numbers(7)).map(({ ahead, seconds }) => ahead / seconds)
    expect(Math.min(...shares)).toBeLessThan(0.3)
    expect(Math.max(...shares)).toBeGreaterThan(0.7)
    expect(shares.every((share) => share >= 0 && share < 1)).toBe(true)
  })

  it('are of several sizes, and the far ones fall slower', () => {
    const drops = scatter(9, 1, numbers(3)).sort((a, b) => a.size - b.size)
    expect(new Set(drops.map(({ size }) => size)).size).toBe(3)
    expect(drops[0]?.seconds).toBeGreaterThan(drops.at(-1)?.seconds ?? 0)
  })

  it('fall somewhere else the next time, and never half outside', () => {
    const random = numbers(5)
    const next = Array.from({ length: 50 }, () => fallAgain(random).x)
    expect(new Set(next).size).toBeGreaterThan(40)
    expect(Math.min(...next)).toBeGreaterThanOrEqual(0.08)
    expect(Math.max(...next)).toBeLessThanOrEqual(0.92)
  })
})

const button = (kind: ButtonState['kind']): ButtonState => ({ kind, isEnabled: kind === 'ready', secondsLeft: 0 })
const ready = button('ready')

describe('the sky over the button', () => {
  it('is clear unless a wave is open', () => {
    for (const phase of [undefined, 'draft', 'scheduled', 'paused', 'sold-out', 'ended'] as const) {
      expect(skyOf({ phase, button: ready, caught: false })).toBe('clear')
    }
  })

  it('rains while a tap counts, and says so when it does not (C7)', () => {
    const sky = (kind: ButtonState['kind']) => skyOf({ phase: 'open', button: button(kind), caught: false })
    expect(sky('ready')).toBe('raining')
    expect(sky('cooldown')).toBe('resting')
    expect(sky('checking')).toBe('resting')
    expect(sky('sending')).toBe('held')
  })

  it('shows the shopper’s own packet from the catch on, however the sale ends', () => {
    for (const phase of [undefined, 'open', 'sold-out', 'ended'] as const) {
      expect(skyOf({ phase, button: ready, caught: true })).toBe('caught')
    }
  })
})
