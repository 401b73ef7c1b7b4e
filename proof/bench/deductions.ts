/**
 * Ways to deduct from one stock, right or wrong and how fast, with 64 clients at once, each with one request in flight
 * (S10, S12, S13): in a database, in memory, in Redis, and ours. `docs/guide/deducting.md` explains the result.
 *
 * First a million deductions of 0 to 5 units from a stock for all of them, the reference load of a published report on
 * stock deduction, which needed 26 s for it: through reserve.lua, which stores shopper, hold and message, and through
 * the smallest script that deducts it. `bench -- scripts` says what the difference costs Redis alone.
 *
 * Then all ways. Clients ask for twice the stock, so it must end at 0 with every unit sold once. A right way that has a
 * fault in any round misses its target. A wrong way depends on requests that meet, so it may have none; then that is what
 * the table says.
 */
import { startRedis } from '../../local/redis/redis-server.ts'
import { connectTo, type DirectClient } from '../direct-redis.ts'
import * as redis from './deductions/redis-ways.ts'
import {
  type Demand,
  type DrawnRound,
  drawRound,
  type Faults,
  faultsOf,
  faultText,
  type Played,
  wrongUnits,
} from './deductions/round.ts'
import type { ThreadWay } from './deductions/thread.ts'
import { openThreads, type Threads } from './deductions/threads.ts'
import { atMost, inTurns, type MeasuredLine, type Measurement, type Rounds } from './harness.ts'
import { median, seededRandom, spelled } from './statistics.ts'

const seed = 20_261_120
const usualClients = 64
const [roundsOfMillion, requestsOfMillion, targetRatio] = [20, 50_000, 2]
const [roundsOfWays, requestsOfWays] = [7, 2000]

export function measureDeductions(): Promise<Measurement> {
  const million = { rounds: roundsOfMillion, isRotated: true, step: 'deductions', requests: requestsOfMillion, seed }
  const all = { rounds: roundsOfWays, step: 'ways to deduct', requests: requestsOfWays, seed }
  return withWays(usualClients, async (ways, server) => ({
    name: `deductions (Redis ${server})`,
    lines: [...millionLines(await playWays(ways.plenty, million)), ...(await playWays(ways.all, all)).map(lineOf)],
  }))
}

export type WayResult = Pick<WayToDeduct, 'name' | 'isRight'> & { rounds: { faults: Faults; perSecond: number }[] }

/** Every way has the same `requests` in a round, so that other load on the machine affects them alike. */
export async function playWays(
  ways: readonly WayToDeduct[],
  { requests, seed, ...rounds }: Rounds & { requests: number; seed: number },
): Promise<WayResult[]> {
  const played = await inTurns(ways, rounds, async ({ demand, play }, round) => {
    const asked = drawRound(demand, requests, seededRandom(seed + round))
    const end = await play(asked)
    return { faults: faultsOf(asked, end), perSecond: (1000 * requests) / end.wallMs }
  })
  return [...played].map(([{ name, isRight }, rounds]) => ({ name, isRight, rounds }))
}

/** The ratio of the wall times of two ways, ours and the smallest, and a line for each. */
export function millionLines([ours, minimal]: readonly WayResult[]): MeasuredLine[] {
  if (ours === undefined || minimal === undefined) throw new RangeError('the million is deducted in two ways')
  const ratios = minimal.rounds.map(({ perSecond }, at) => perSecond / (ours.rounds[at]?.perSecond ?? Number.NaN))
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2))
  const what = `wall time, reserve.lua ÷ minimal script (rounds ${least} to ${most})`
  return [atMost(what, median(ratios), targetRatio, { digits: 2 }), lineOf(ours), lineOf(minimal)]
}

/** The line of one way; only a right one has a target. */
export function lineOf({ name, isRight, rounds }: WayResult): MeasuredLine {
  const wrong = rounds.map(({ faults }) => faults).filter((faults) => wrongUnits(faults) > 0)
  const worst = wrong.toSorted((a, b) => wrongUnits(b) - wrongUnits(a))[0]
  const verdict = worst !== undefined ? 'wrong' : isRight ? 'right' : 'no fault seen'
  const perSecond = spelled(Math.round(median(rounds.map((round) => round.perSecond))))
  const value = `${verdict}, ${perSecond} requests/s${worst === undefined ? '' : `, ${faultText(worst)}`}`
  return { what: name, value, ...(isRight && { target: 'right', met: worst === undefined }) }
}

/** `isRight`: no round of it may have a fault. Each of the others is wrong by design. */
type WayToDeduct = { name: string; demand: Demand; isRight: boolean; play: (round: DrawnRound) => Promise<Played> }

/** All ways, and the two that deduct a million from a stock for all. */
type Ways = { all: WayToDeduct[]; plenty: WayToDeduct[] }

/** Runs `work` with a Redis, `clients` clients of it, and as many threads. */
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
  const onRedis = (name: string, isRight: boolean, way: redis.RedisWay, demand: Demand = 'units'): WayToDeduct => ({
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
      onRedis('reserve.lua', true, redis.ours(5)),
      onRedis('reserve.lua, each shopper twice at once', true, redis.ours(1), 'twice'),
    ],
    plenty: [
      onRedis('a stock for all, reserve.lua', true, redis.ours(5), 'plenty'),
      onRedis('a stock for all, minimal script', true, redis.minimal, 'plenty'),
    ],
  }
}
