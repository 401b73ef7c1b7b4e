/** The rules of spread, for a crowd of any size. */
import { describe, expect, it } from 'vitest'
import { kolmogorovSmirnov } from '../../../proof/bench/statistics.ts'
import { asAsked, chanceOfDifference, drawCrowd, peakShare, winnersOf } from './spread-crowd.ts'

const leastChance = 0.01
const mostPeak = 1.05

export function describeSpread(count: number, seed: number): void {
  const spreadSeconds = 60
  const crowd = drawCrowd(seed, { count, spreadSeconds })

  describe(`the turns of ${count} shoppers in the first ${spreadSeconds} s, with seed ${seed} (R8)`, () => {
    it('are everywhere in it alike', () => {
      const even = Array.from({ length: count }, (_, at) => ((at + 0.5) / count) * spreadSeconds * 1000)
      const turns = crowd.map(({ turnAt }) => turnAt)
      expect(kolmogorovSmirnov(turns, even).p).toBeGreaterThan(leastChance)
      expect(Math.max(...turns.slice(0, 100_000))).toBeLessThan(spreadSeconds * 1000)
    })

    it('are other ones at the next sale', () => {
      const compared = Math.min(count, 100_000)
      const next = drawCrowd(seed + 1, { count: compared, spreadSeconds })
      const scaled = (turnAt: number) => turnAt / (spreadSeconds * 1000) - 0.5
      const products = next.map(({ turnAt }, at) => scaled(turnAt) * scaled(crowd[at]?.turnAt ?? 0))
      const correlation = (12 * products.reduce((sum, product) => sum + product, 0)) / compared
      expect(Math.abs(correlation)).toBeLessThan(4 / Math.sqrt(compared))
    })

    it('give a fast click no better chance than a slow one, while there are units', () => {
      // A quarter of the crowd wins, so the last unit goes after the last first click.
      const [won, lost] = winnersOf(crowd, count / 4)
      expect(chanceOfDifference(won, lost)).toBeGreaterThan(leastChance)
    })

    it('decide nothing without spread: the fast click wins', () => {
      const atOnce = crowd.map(({ clicksAt }) => ({ clicksAt, turnAt: 0 }))
      const [won, lost] = winnersOf(atOnce, count / 4)
      expect(chanceOfDifference(won, lost)).toBeLessThan(1e-6)
    })

    it('bring no second more than 5 % above the crowd divided by the spread', () => {
      const ready = crowd.map(({ clicksAt, turnAt }) => ({ turnAt, clicksAt: clicksAt % 50 }))
      const pages = ready.map(({ turnAt }, at) => turnAt + 150 + (at % 650))
      expect(peakShare(pages, spreadSeconds)).toBeLessThan(mostPeak)
      expect(peakShare(ready.map(asAsked), spreadSeconds)).toBeLessThan(mostPeak)
    })
  })
}
