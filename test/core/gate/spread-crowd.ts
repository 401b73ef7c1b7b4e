/**
 * A crowd at a sale with spread, by the functions that gate and page use. Times are ms after the start.
 */
import { hash } from 'node:crypto'
import { shopperHashLength } from '../../../core/gate/pass.ts'
import { turnMs } from '../../../edge/turn.ts'
import { kolmogorovSmirnov, seededRandom } from '../../../proof/bench/statistics.ts'

export type Entrant = { clicksAt: number; turnAt: number }

export type CrowdSize = { count: number; spreadSeconds: number }

/** A tenth are scripts, which click in the first 50 ms; the others click in the first ten seconds. */
export function drawCrowd(seed: number, { count, spreadSeconds }: CrowdSize): Entrant[] {
  const random = seededRandom(seed)
  const startToken = hash('sha256', `start ${seed}`, 'base64url')
  return Array.from({ length: count }, (_, number) => {
    const shopperHash = hash('sha256', `shopper ${number}`, 'base64url').slice(0, shopperHashLength)
    const clicksAt = random() * (number % 10 === 0 ? 50 : 10_000)
    return { clicksAt, turnAt: turnMs(startToken, shopperHash, spreadSeconds) }
  })
}

/** Who clicks before the turn waits for it; the first at the gate have the units. */
export function winnersOf(crowd: readonly Entrant[], units: number): [won: Entrant[], lost: Entrant[]] {
  const arrivesAt = ({ clicksAt, turnAt }: Entrant) => Math.max(clicksAt, turnAt)
  const inOrder = crowd.toSorted((a, b) => arrivesAt(a) - arrivesAt(b))
  return [inOrder.slice(0, units), inOrder.slice(units)]
}

/** The probability that the click times of the two differ so much by chance. */
export function chanceOfDifference(some: readonly Entrant[], others: readonly Entrant[]): number {
  const times = (all: readonly Entrant[]) => all.map(({ clicksAt }) => clicksAt)
  return kolmogorovSmirnov(times(some), times(others)).p
}

/** The most arrivals in one second, divided by the crowd of a second of the spread. */
export function peakShare(arrivals: readonly number[], spreadSeconds: number): number {
  const perSecond = new Map<number, number>()
  for (const at of arrivals) perSecond.set(Math.floor(at / 1000), (perSecond.get(Math.floor(at / 1000)) ?? 0) + 1)
  return Math.max(...perSecond.values()) / (arrivals.length / spreadSeconds)
}

/** A client that clicks at the start, and again after the whole seconds of `Retry-After`. */
export const asAsked = ({ clicksAt, turnAt }: Entrant) =>
  clicksAt + Math.ceil(Math.max(0, turnAt - clicksAt) / 1000) * 1000
