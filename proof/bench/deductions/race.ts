/**
 * Deductions of 0 to 5 units from a stock that never runs out, on each lane in turn. All lanes get
 * the same quantities in the same rounds, so that other load on the machine affects them alike, and
 * every lane must end with the exact remainder after each round.
 */
import { startRedis } from '../../../local/redis/redis-server.ts'
import { openLink } from '../../../local/upstash/link.ts'
import { inTurns, type Rounds } from '../harness.ts'
import { seededRandom } from '../statistics.ts'
import { type DeductionLaneName, lanes, mostUnits } from './lanes.ts'
import { openRunner, type RoundTimes, type Runner, type Way } from './runner.ts'

/** Rounds of `perRound` deductions for each lane. */
export type RaceOptions = Pick<Rounds, 'rounds' | 'step'> & { perRound: number; seed: number }

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
