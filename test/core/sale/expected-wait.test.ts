import { describe, expect, it } from 'vitest'
import { expectedWaitSeconds } from '../../../core/sale/expected-wait.ts'
import { seededRandom } from '../../../proof/bench/statistics.ts'

const plays = 3000
const seed = 36_007

/** `change` is the share by which the pace has changed when the expected time is over. */
type Crowd = { change: number; burst: number }

/** When each of `count` units goes, s from now: one by one, or `burst` at a time. */
function timeOf(count: number, pace: (at: number) => number, { burst }: Crowd, random: () => number): number {
  let at = 0
  for (let gone = 0; gone < count; gone += burst) at += (-Math.log(1 - random()) * burst) / pace(at)
  return at
}

/** A sale whose page looks twice, and how long it takes from the second look until the last unit has gone. */
function play(crowd: Crowd, random: () => number): { said: number | undefined; took: number } {
  const perSecond = 0.5 * 100 ** random()
  const remaining = 2 + Math.floor(300 * random())
  const span = 3 + 40 * random()
  let [taken, at] = [0, 0]
  for (;;) {
    at += (-Math.log(1 - random()) * crowd.burst) / perSecond
    if (at > span) break
    taken += crowd.burst
  }
  const usual = remaining / perSecond
  const pace = (now: number) => perSecond * (1 + crowd.change * Math.min(1, now / usual))
  const said = expectedWaitSeconds({ at: 0, remaining: remaining + taken }, { at: span * 1000, remaining })
  return { said, took: timeOf(remaining, pace, crowd, random) }
}

describe('within which time a shopper at capacity knows the outcome', () => {
  it.each<[string, Crowd]>([
    ['steady', { change: 0, burst: 1 }],
    ['growing by half', { change: 0.5, burst: 1 }],
    ['falling by a fifth', { change: -0.2, burst: 1 }],
    ['in orders of two units', { change: 0, burst: 2 }],
  ])(`is right for at least 80 %% of the sales whose pace is %s (seed ${seed})`, (_, crowd) => {
    const random = seededRandom(seed)
    const all = Array.from({ length: plays }, () => play(crowd, random))
    const said = all.flatMap(({ said, took }) => (said === undefined ? [] : [{ said, took }]))
    expect(said.length).toBeGreaterThan(plays / 2)
    expect(said.filter(({ said, took }) => took <= said).length / said.length).toBeGreaterThanOrEqual(0.8)
    // Not so careful that it says nothing: half of them take at least a third of that time.
    const shares = said.map(({ said, took }) => took / said).sort((a, b) => a - b)
    expect(shares[said.length >> 1]).toBeGreaterThan(1 / 3)
  })

  it.each([
    ['too few units went', { at: 0, remaining: 12 }, { at: 10_000, remaining: 10 }],
    ['the looks are too close', { at: 0, remaining: 50 }, { at: 1999, remaining: 10 }],
    ['units came back', { at: 0, remaining: 5 }, { at: 10_000, remaining: 10 }],
    ['nothing is left', { at: 0, remaining: 50 }, { at: 10_000, remaining: 0 }],
    ['the stock has no end', { at: 0, remaining: -1 }, { at: 10_000, remaining: -1 }],
    ['it is longer than ten minutes', { at: 0, remaining: 1000 }, { at: 10_000, remaining: 990 }],
  ])('is not said where %s', (_, earlier, now) => {
    expect(expectedWaitSeconds(earlier, now)).toBeUndefined()
  })
})
