/** The rules of spread, for a crowd of any size at a sale, by the functions that gate and page use. Times are ms after the start. */
import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { shopperHashLength } from '../../../core/gate/pass.ts'
import { turnMs } from '../../../edge/turn.ts'
import { seededRandom } from '../../../proof/bench/statistics.ts'
import { kolmogorovSmirnov } from './kolmogorov-smirnov.ts'

const minChance = 0.01
const maxPeak = 1.05

export function describeSpread(count: number, seed: number): void {
  const spreadSeconds = 60
  const crowd = drawCrowd(seed, { count, spreadSeconds })

  describe(`the turns of ${count} shoppers in the first ${spreadSeconds} s, with seed ${seed} (R8)`, () => {
    it('are everywhere in it alike', () => {
      const even = Array.from({ length: count }, (_, at) => ((at + 0.5) / count) * spreadSeconds * 1000)
      const turns = crowd.map(({ turnAt }) => turnAt)
      expect(kolmogorovSmirnov(turns, even).p).toBeGreaterThan(minChance)
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
      expect(chanceOfDifference(won, lost)).toBeGreaterThan(minChance)
    })

    it('decide nothing without spread: the fast click wins', () => {
      const atOnce = crowd.map(({ clicksAt }) => ({ clicksAt, turnAt: 0 }))
      const [won, lost] = winnersOf(atOnce, count / 4)
      expect(chanceOfDifference(won, lost)).toBeLessThan(1e-6)
    })

    it('bring no second more than 5 % above the crowd divided by the spread', () => {
      const ready = crowd.map(({ clicksAt, turnAt }) => ({ turnAt, clicksAt: clicksAt % 50 }))
      const pages = ready.map(({ turnAt }, at) => turnAt + 150 + (at % 650))
      expect(peakShare(pages, spreadSeconds)).toBeLessThan(maxPeak)
      expect(peakShare(ready.map(asAsked), spreadSeconds)).toBeLessThan(maxPeak)
    })
  })
}

type Entrant = { clicksAt: number; turnAt: number }

type CrowdSize = { count: number; spreadSeconds: number }

/** A tenth are scripts, which click in the first 50 ms; the others click in the first ten seconds. */
function drawCrowd(seed: number, { count, spreadSeconds }: CrowdSize): Entrant[] {
  const random = seededRandom(seed)
  const startToken = hash('sha256', `start ${seed}`, 'base64url')
  return Array.from({ length: count }, (_, number) => {
    const shopperHash = hash('sha256', `shopper ${number}`, 'base64url').slice(0, shopperHashLength)
    const clicksAt = random() * (number % 10 === 0 ? 50 : 10_000)
    return { clicksAt, turnAt: turnMs(startToken, shopperHash, spreadSeconds) }
  })
}

/** Who clicks before the turn waits for it; the first at the gate have the units. */
function winnersOf(crowd: readonly Entrant[], units: number): [won: Entrant[], lost: Entrant[]] {
  const arrivesAt = ({ clicksAt, turnAt }: Entrant) => Math.max(clicksAt, turnAt)
  const inOrder = crowd.toSorted((a, b) => arrivesAt(a) - arrivesAt(b))
  return [inOrder.slice(0, units), inOrder.slice(units)]
}

/** The probability that the click times of the two differ so much by chance. */
function chanceOfDifference(some: readonly Entrant[], others: readonly Entrant[]): number {
  const times = (all: readonly Entrant[]) => all.map(({ clicksAt }) => clicksAt)
  return kolmogorovSmirnov(times(some), times(others)).p
}

/** The most arrivals in one second, divided by the crowd of a second of the spread. */
function peakShare(arrivals: readonly number[], spreadSeconds: number): number {
  const perSecond = new Map<number, number>()
  for (const at of arrivals) perSecond.set(Math.floor(at / 1000), (perSecond.get(Math.floor(at / 1000)) ?? 0) + 1)
  return Math.max(...perSecond.values()) / (arrivals.length / spreadSeconds)
}

/** A client that clicks at the start, and again after the whole seconds of `Retry-After`. */
const asAsked = ({ clicksAt, turnAt }: Entrant) => clicksAt + Math.ceil(Math.max(0, turnAt - clicksAt) / 1000) * 1000
