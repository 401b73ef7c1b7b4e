/**
 * What one script costs beside the least that deducts, and which other ways to deduct are right.
 *
 * A million deductions of 0 to 5 units, the reference load of a published report on stock deduction
 * (S13), which needed 26 s for it: through reserve.lua, which stores shopper, hold and message, and
 * through the smallest script that deducts it.
 *
 * Two modes. With one call in flight on each of many connections, as shoppers arrive; this process
 * is then as busy as Redis. And in bursts on one connection, where Redis does little but run the
 * scripts. The processor time of Redis is shown beside the wall time, because faster callers bring
 * the wall times closer to it. The ratio's target is about the first mode, the concurrent load that
 * the report describes.
 *
 * `deductions/judge-ways.ts` then plays ways in a database, in memory and in Redis (S10, S12), with 64 clients at once.
 */

import { judgeWays } from './deductions/judge-ways.ts'
import type { DeductionLaneName } from './deductions/lanes.ts'
import { type RaceResult, race } from './deductions/race.ts'
import type { RoundTimes, Way } from './deductions/runner.ts'
import type { MeasuredLine, Measurement } from './harness.ts'
import { median } from './statistics.ts'

const rounds = 20
const seed = 20_261_120
const targetRatio = 2

export const ways = {
  alone: { connections: 64, burst: 1, inFlight: 1 },
  inBursts: { connections: 1, burst: 250, inFlight: 8 },
} as const satisfies Record<string, Way>

export type DeductionsOptions = { deductions: number }

export const usualDeductions = 1_000_000

export async function measureDeductions({ deductions }: DeductionsOptions): Promise<Measurement> {
  const options = { rounds, perRound: Math.ceil(deductions / rounds), seed }
  const alone = await race(ways.alone, { ...options, step: 'deductions' })
  const inBursts = await race(ways.inBursts, { ...options, step: 'in bursts' })
  return {
    name: `deductions (Redis ${alone.redis})`,
    lines: [...deductionLines(alone, inBursts), ...(await judgeWays())],
  }
}

/** The lines of both modes. End stocks were exact, otherwise the race throws. */
export function deductionLines(alone: RaceResult, inBursts: RaceResult): MeasuredLine[] {
  return [
    ...ratiosOf(alone, `${alone.way.connections} connections`, targetRatio),
    ...ratiosOf(inBursts, 'in bursts', undefined),
    ...[alone, inBursts].map(endStockOf),
    ...timesOf(alone, `${alone.way.connections} connections`),
    ...timesOf(inBursts, 'in bursts'),
  ]
}

/**
 * Medians of the rounds; every lane ran each of them. `mostWall` is the largest acceptable ratio of
 * wall times.
 */
function ratiosOf(result: RaceResult, way: string, mostWall: number | undefined): MeasuredLine[] {
  const [ours, minimal, bare] = roundsOf(result)
  const [wall, redis] = [paired(ours, minimal, 'wallMs'), paired(ours, minimal, 'redisMs')]
  const ratio = median(wall)
  const bareRatios = [paired(ours, bare, 'wallMs'), paired(ours, bare, 'redisMs')]
  return [
    {
      what: `${way}: wall time, reserve.lua ÷ minimal (rounds ${rangeOf(wall)})`,
      value: ratio.toFixed(2),
      ...(mostWall !== undefined && { target: `≤ ${mostWall}`, met: ratio <= mostWall }),
    },
    { what: `${way}: Redis's processor time, reserve.lua ÷ minimal`, value: median(redis).toFixed(2) },
    {
      what: `${way}: both, reserve.lua ÷ bare`,
      value: bareRatios.map((ratios) => median(ratios).toFixed(2)).join('; '),
    },
  ]
}

function endStockOf({ deductions, stock, taken, lanes }: RaceResult): MeasuredLine {
  const found = lanes.map(({ left }) => left)
  return {
    what: `units left of ${stock} after ${deductions} deductions, each lane`,
    value: found.join('; '),
    target: `${stock} - ${taken} = ${stock - taken}`,
    met: found.every((left) => left === stock - taken),
  }
}

function timesOf({ deductions, lanes }: RaceResult, way: string): MeasuredLine[] {
  return lanes.map(({ name, rounds }) => {
    const [wallMs, redisMs] = [total(rounds, 'wallMs'), total(rounds, 'redisMs')]
    const perSecond = Math.round((1000 * deductions) / wallMs)
    return {
      what: `${way}, ${name}: wall time, s; Redis's processor time, s; deductions/s`,
      value: `${(wallMs / 1000).toFixed(1)}; ${(redisMs / 1000).toFixed(1)}; ${perSecond}`,
    }
  })
}

function roundsOf({ lanes }: RaceResult): [ours: RoundTimes[], minimal: RoundTimes[], bare: RoundTimes[]] {
  return [roundsIn(lanes, 'ours'), roundsIn(lanes, 'minimal'), roundsIn(lanes, 'bare')]
}

function roundsIn(lanes: RaceResult['lanes'], name: DeductionLaneName): RoundTimes[] {
  const lane = lanes.find((one) => one.name === name)
  if (lane === undefined) throw new Error(`the race had no lane ${name}`)
  return lane.rounds
}

function paired(ours: readonly RoundTimes[], theirs: readonly RoundTimes[], time: keyof RoundTimes): number[] {
  return ours.map((round, at) => round[time] / (theirs[at]?.[time] ?? Number.NaN))
}

function rangeOf(values: readonly number[]): string {
  return `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`
}

function total(rounds: readonly RoundTimes[], time: keyof RoundTimes): number {
  return rounds.reduce((sum, round) => sum + round[time], 0)
}
