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
import { startRedis } from '../../local/redis/redis-server.ts'
import { openLink } from '../../local/upstash/link.ts'
import { judgeWays } from './deductions/judge-ways.ts'
import { type DeductionLaneName, lanes, mostUnits } from './deductions/lanes.ts'
import { openRunner, type RoundTimes, type Runner, type Way } from './deductions/runner.ts'
import { inTurns, type MeasuredLine, type Measurement, type Rounds } from './harness.ts'
import { median, seededRandom } from './statistics.ts'

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

/**
 * * Deductions of 0 to 5 units from a stock that never runs out, on each lane in turn. All lanes get the same
 * quantities in the same rounds, so that other load on the machine affects them alike, and every lane must end with the
 * exact remainder after each round. Rounds of `perRound` deductions for each lane.
 */
type RaceOptions = Pick<Rounds, 'rounds' | 'step'> & { perRound: number; seed: number }

/** One entry in `rounds` for each round; `left` is the final stock in Redis. */
type LaneResult = { name: DeductionLaneName; rounds: RoundTimes[]; left: number }

/** `taken` is the sum of all quantities, the same for every lane. */
export type RaceResult = {
  way: Way
  redis: string
  deductions: number
  stock: number
  taken: number
  lanes: LaneResult[]
}

/**
 * Runs the race.
 * @throws when a reply or the end stock of a lane is not exact
 */
export async function race(way: Way, { perRound, seed, ...counted }: RaceOptions): Promise<RaceResult> {
  // Never a shared server: commands of others would be in the times.
  const server = await startRedis({ env: { ...process.env, REDIS_URL: '' } })
  const links = Array.from({ length: way.connections }, () => openLink(server))
  try {
    const random = seededRandom(seed)
    const draw = () => Array.from({ length: perRound }, () => Math.floor(random() * (mostUnits + 1)))
    const { rounds } = counted
    const deductions = rounds * perRound
    // So large that no draw of quantities can exhaust it.
    const stock = deductions * mostUnits
    const runners = await Promise.all(lanes.map((lane) => openRunner(links, way, lane, stock)))
    // The first round is not counted: it connects, and its code is not compiled yet.
    const warmUp = draw()
    for (const runner of runners) await runner.play(warmUp)
    for (const runner of runners) await runner.restart()

    const drawn = Array.from({ length: rounds }, draw)
    const taken = drawn.flat().reduce((sum, quantity) => sum + quantity, 0)
    const turns = { ...counted, warmUps: 0, isRotated: true }
    await inTurns(runners, turns, (runner, round) => runner.play(drawn[round - 1] ?? []))
    const results: LaneResult[] = []
    for (const runner of runners) results.push(await resultOf(runner, stock - taken))
    return { way, redis: `${server.kind} ${server.version}`, deductions, stock, taken, lanes: results }
  } finally {
    for (const link of links) link.close()
    await server.stop()
  }
}

async function resultOf({ name, rounds, left }: Runner, expected: number): Promise<LaneResult> {
  const found = await left()
  if (found !== expected) throw new Error(`${name} has ${found} units left and should have ${expected}`)
  return { name, rounds, left: found }
}
