/**
 * Compares ways to deduct from one stock: whether they are correct, and how fast, with 64 clients that each have one
 * request in flight (S10, S12, S13). They count in a database, in memory or in Redis. `docs/guide/deducting.md`
 * explains the result.
 *
 * The first part makes a million deductions of 0 to 5 units from a stock that is large enough for all: the reference
 * load of a published report on stock deduction, which needed 26 s. It runs through reserve.lua, which stores shopper,
 * hold and message, and through the smallest script that deducts. `bench -- scripts` measures the difference in Redis
 * alone.
 *
 * The second part runs all ways. Clients request twice the stock, so it must end at 0 with every unit sold once. A
 * correct way with a fault in any round misses its target. A wrong way fails only when requests race, so it may show no
 * fault.
 */
import { startRedis } from '../../local/redis/redis-server.ts'
import { connectTo, type DirectClient } from '../direct-redis.ts'
import * as redis from './deductions/redis-ways.ts'
import {
  type DrawnRound,
  drawRound,
  faultText,
  type PlayedRound,
  type RequestPattern,
  type RoundFaults,
  roundFaults,
  wrongUnits,
} from './deductions/round.ts'
import type { ThreadWay } from './deductions/thread.ts'
import { openThreads, type Threads } from './deductions/threads.ts'
import { atMost, type MeasuredLine, type Measurement, playRounds, type Rounds } from './harness.ts'
import { formatCount, median, seededRandom } from './statistics.ts'

const seed = 20_261_120
const usualClients = 64
const [roundsOfMillion, requestsOfMillion, targetRatio] = [20, 50_000, 2]
const [roundsOfWays, requestsOfWays] = [7, 2000]

export function measureDeductions(): Promise<Measurement> {
  const million = { rounds: roundsOfMillion, isRotated: true, step: 'deductions', requests: requestsOfMillion, seed }
  const all = { rounds: roundsOfWays, step: 'ways to deduct', requests: requestsOfWays, seed }
  return withWays(usualClients, async (ways, server) => ({
    name: `deductions (Redis ${server})`,
    lines: [
      ...millionLines(await measureWays(ways.plenty, million)),
      ...(await measureWays(ways.all, all)).map(wayLine),
    ],
  }))
}

export type WayResult = Pick<WayToDeduct, 'name' | 'isRight'> & { rounds: { faults: RoundFaults; perSecond: number }[] }

/** Runs every way with the same `requests` in each round, so that other load on the machine affects all of them equally. */
export async function measureWays(
  ways: readonly WayToDeduct[],
  { requests, seed, ...rounds }: Rounds & { requests: number; seed: number },
): Promise<WayResult[]> {
  const played = await playRounds(ways, rounds, async ({ demand, play }, round) => {
    const asked = drawRound(demand, requests, seededRandom(seed + round))
    const end = await play(asked)
    return { faults: roundFaults(asked, end), perSecond: (1000 * requests) / end.wallMs }
  })
  return [...played].map(([{ name, isRight }, rounds]) => ({ name, isRight, rounds }))
}

/** Returns the ratio of the wall times of reserve.lua and the smallest script, and a line for each. */
export function millionLines([ours, minimal]: readonly WayResult[]): MeasuredLine[] {
  if (ours === undefined || minimal === undefined) throw new RangeError('the million is deducted in two ways')
  const ratios = minimal.rounds.map(({ perSecond }, at) => perSecond / (ours.rounds[at]?.perSecond ?? Number.NaN))
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2))
  const what = `wall time, reserve.lua ÷ minimal script (rounds ${lowest} to ${highest})`
  return [atMost(what, median(ratios), targetRatio, { digits: 2 }), wayLine(ours), wayLine(minimal)]
}

/** Returns the line of one way. Only a correct way has a target. */
export function wayLine({ name, isRight, rounds }: WayResult): MeasuredLine {
  const wrong = rounds.map(({ faults }) => faults).filter((faults) => wrongUnits(faults) > 0)
  const worst = wrong.toSorted((a, b) => wrongUnits(b) - wrongUnits(a))[0]
  const verdict = worst !== undefined ? 'wrong' : isRight ? 'right' : 'no fault seen'
  const perSecond = formatCount(Math.round(median(rounds.map((round) => round.perSecond))))
  const value = `${verdict}, ${perSecond} requests/s${worst === undefined ? '' : `, ${faultText(worst)}`}`
  return { what: name, value, ...(isRight && { target: 'right', met: worst === undefined }) }
}

/** `isRight`: no round may have a fault. The other ways are wrong by design. */
type WayToDeduct = {
  name: string
  demand: RequestPattern
  isRight: boolean
  play: (round: DrawnRound) => Promise<PlayedRound>
}

/** `plenty` are the two ways that deduct a million from a stock that is large enough for all. */
type Ways = { all: WayToDeduct[]; plenty: WayToDeduct[] }

/** Starts a Redis, `clients` connections to it and as many threads for `work`, and stops all of them. */
export async function withWays<T>(clients: number, work: (ways: Ways, server: string) => Promise<T>): Promise<T> {
  const server = await startRedis()
  const links = Array.from({ length: clients }, () => connectTo(server, { strict: false }))
  try {
    const threads = await openThreads(clients)
    try {
      return await work(waysOver(links, threads), `${server.kind} ${server.version}`)
    } finally {
      await threads.close()
    }
  } finally {
    for (const link of links) link.stop()
    await server.stop()
  }
}

function waysOver(links: readonly DirectClient[], threads: Threads): Ways {
  const onThreads = (name: string, isRight: boolean, way: ThreadWay): WayToDeduct => ({
    ...{ name, isRight, demand: 'units' },
    play: (round) => threads.play(way, round),
  })
  const onRedis = (
    name: string,
    isRight: boolean,
    way: redis.RedisWay,
    demand: RequestPattern = 'units',
  ): WayToDeduct => ({
    ...{ name, isRight, demand },
    play: (round) => redis.playOnRedis(links, way, round),
  })
  return {
    all: [
      onThreads('SQLite: update without a check', false, 'update'),
      onThreads('SQLite: select, then update', false, 'selectUpdate'),
      onThreads('SQLite: select and update under a lock', true, 'locked'),
      onThreads('SQLite: one conditional update', true, 'conditional'),
      onThreads('memory with a mutex, one server', true, 'oneServer'),
      onThreads('memory with a mutex, two servers', false, 'twoServers'),
      onRedis('Redis: GET, then SET', false, redis.getThenSet),
      onRedis('Redis: GET and SET under a lock key', true, redis.underLockKey),
      onRedis('Redis: DECRBY, one unit each', false, redis.decrby, 'one'),
      onRedis('Redis: DECRBY, 0 to 5 units', false, redis.decrby),
      onRedis('script of S1', true, redis.scriptS1),
      onRedis('script of S2', true, redis.scriptS2),
      onRedis('script of S4, one unit each', true, redis.scriptS4, 'one'),
      onRedis('script of S5', true, redis.scriptS5),
      onRedis('script of S5, its answer as its caller reads it', false, redis.scriptS5AsRead),
      onRedis('steps of S9, each shopper twice at once', false, redis.twoStepsOfS9, 'twice'),
      onRedis('reserve.lua', true, redis.reserveLua(5)),
      onRedis('reserve.lua, each shopper twice at once', true, redis.reserveLua(1), 'twice'),
    ],
    plenty: [
      onRedis('a stock for all, reserve.lua', true, redis.reserveLua(5), 'plenty'),
      onRedis('a stock for all, minimal script', true, redis.smallestScript, 'plenty'),
    ],
  }
}
