import { describe, expect, it } from 'vitest'
import { type CrowdSeen, chanceTenths } from '../../../core/sale/chance.ts'
import { seededRandom } from '../../../proof/bench/statistics.ts'

const plays = 80
const seed = 36_011

/** `later` shoppers a minute for each unit come after the start, at a rate that grows by `change` until the end; a refused one gives up with the chance `givesUp`. */
type Crowd = { later: number; change: number; givesUp: number; units: number }

type Shopper = { nextAt: number; refusedAt: number; state: 'trying' | 'gone' | 'won' }

/**
 * A sale with so many places a second: who finds none tries again 10 s later, with a moment of its own. It is looked at
 * once, at a random time; resolves with what was said and the share of those who waited then that got one.
 */
function play(crowd: Crowd, random: () => number): { said: ReturnType<typeof chanceTenths>; share: number } {
  const pace = 3 * 5 ** random()
  const stock = Math.ceil(pace * (15 + 60 * random()))
  const lookAt = 10 + Math.floor(((0.8 * stock) / (pace * crowd.units)) * random())
  const shoppers: Shopper[] = []
  const come = (count: number, at: number) => {
    for (let n = 0; n < count; n += 1) shoppers.push({ nextAt: at + random(), refusedAt: -1, state: 'trying' })
  }
  come(Math.ceil(stock * (0.5 + 4 * random())), 0)
  const rate = (crowd.later * stock) / 60
  const counts: CrowdSeen = { at: 0, taken: 0, left: stock, won: 0, admitted: 0, full: 0 }
  const looks: CrowdSeen[] = []
  let waiting: Shopper[] = []
  let said: ReturnType<typeof chanceTenths>
  for (let second = 0; counts.left > 0 && second < 900; second += 1) {
    looks.push({ ...counts, at: second })
    const [earlier, now] = [looks.at(-11), looks.at(-1)]
    if (second === lookAt && earlier && now) {
      said = chanceTenths(earlier, now)
      waiting = shoppers.filter(({ refusedAt, state }) => state === 'trying' && refusedAt >= second - 10)
    }
    come(Math.floor(rate * (1 + (crowd.change * second * pace) / stock) + random()), second)
    const clicking = shoppers
      .filter(({ state, nextAt }) => state === 'trying' && nextAt < second + 1)
      .map((shopper) => ({ shopper, turn: random() }))
      .toSorted((a, b) => a.turn - b.turn)
    let places = Math.floor(pace + random())
    for (const { shopper } of clicking) {
      if (counts.left > 0 && places > 0) {
        places -= 1
        counts.admitted += 1
        shopper.state = random() < 0.05 ? 'gone' : 'won'
        if (shopper.state === 'gone') continue
        counts.won += 1
        const units = Math.min(crowd.units, counts.left)
        counts.taken += units
        counts.left -= units
      } else {
        counts.full += 1
        shopper.refusedAt = second
        shopper.nextAt = second + 10 - 2 * Math.log(1 - random())
        if (random() < crowd.givesUp) shopper.state = 'gone'
      }
    }
  }
  const got = waiting.filter(({ state }) => state === 'won').length
  return { said, share: waiting.length === 0 ? 0 : got / waiting.length }
}

describe('the chance of a shopper at capacity', () => {
  it.each<[string, Crowd]>([
    ['no others come', { later: 0, change: 0, givesUp: 0, units: 1 }],
    ['others come at a steady rate', { later: 1, change: 0, givesUp: 0, units: 1 }],
    ['fewer and fewer come', { later: 2, change: -0.7, givesUp: 0, units: 1 }],
    ['more and more come', { later: 1, change: 0.5, givesUp: 0, units: 1 }],
    ['some give up', { later: 1, change: 0, givesUp: 0.1, units: 1 }],
    ['orders have two units', { later: 1, change: 0, givesUp: 0, units: 2 }],
  ])(`is in the range for at least 80 %% of the sales where %s (seed ${seed})`, (_, crowd) => {
    const random = seededRandom(seed)
    const all = Array.from({ length: plays }, () => play(crowd, random))
    const said = all.flatMap(({ said, share }) => (said === undefined ? [] : [{ said, share }]))
    const right = said.filter(({ said: [low, high], share }) => low <= share * 10 && share * 10 <= high)
    expect(said.length).toBeGreaterThan(plays / 3)
    expect(right.length / said.length).toBeGreaterThanOrEqual(0.8)
    // Not so careful that it says nothing: half of the ranges are at most four tenths wide.
    const widths = said.map(({ said: [low, high] }) => high - low).sort((a, b) => a - b)
    expect(widths[said.length >> 1]).toBeLessThanOrEqual(4)
  })

  const before = { at: 100, taken: 500, left: 200, won: 500, admitted: 520, full: 4000 }
  const now = { at: 110, taken: 600, left: 100, won: 600, admitted: 625, full: 4400 }
  it('is said in tenths, also where answers were sent again', () => {
    expect(chanceTenths(before, now)).toEqual([0, 4])
    expect(chanceTenths(before, { ...now, won: 650 })).toEqual([0, 4])
  })

  it.each<[string, Partial<CrowdSeen>]>([
    ['too few got units', { won: 504, taken: 504 }],
    ['hardly any shopper waits', { full: 4004 }],
    ['nothing is left', { left: 0 }],
    ['the stock has no end', { left: -1 }],
    ['a count was lost with its store', { admitted: 10 }],
    ['the time stands still', { at: 100 }],
    ['all may get one, or few', { left: 400 }],
  ])('is not said where %s', (_, change) => {
    expect(chanceTenths(before, { ...now, ...change })).toBeUndefined()
  })
})
