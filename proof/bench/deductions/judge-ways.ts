/**
 * Ways to deduct from one stock, right or wrong and how fast, with 64 clients at once (S10, S12,
 * S13): in a database, in memory, in Redis, and ours. `docs/guide/deducting.md` explains the result.
 *
 * Clients ask for twice the stock, so the stock must end at 0 with every unit sold once. A right way
 * that has a fault in any round misses its target. A wrong way depends on requests that meet, so it
 * may have none; then that is what the table says.
 */
import { type RunningRedis, startRedis } from '../../../local/redis/redis-server.ts'
import { connectTo } from '../../direct-redis.ts'
import { inTurns, type MeasuredLine, type Rounds } from '../harness.ts'
import { median, seededRandom, spelled } from '../statistics.ts'
import * as redis from './redis-ways.ts'
import {
  type Demand,
  type DrawnRound,
  drawRound,
  type Faults,
  faultsOf,
  faultText,
  type Played,
  wrongUnits,
} from './round.ts'
import type { ThreadWay } from './thread.ts'
import { openThreads } from './threads.ts'

/** `requests` per round and way. */
type Options = Rounds & { clients: number; requests: number; seed: number }

const whole = { clients: 64, rounds: 7, requests: 2000, seed: 20_261_121 }

export type WayResult = Pick<WayToDeduct, 'name' | 'isRight'> & { rounds: { faults: Faults; perSecond: number }[] }

/** A line for each way. */
export async function judgeWays(): Promise<MeasuredLine[]> {
  return (await deductAll({ ...whole, step: 'ways to deduct' })).map(lineOf)
}

export async function deductAll({ clients, requests, seed, ...rounds }: Options): Promise<WayResult[]> {
  // Never a shared server: commands of others would be in the times.
  const server = await startRedis({ env: { ...process.env, REDIS_URL: '' } })
  try {
    const { ways, close } = await openWays(server, clients)
    try {
      const played = await inTurns(ways, rounds, async ({ demand, play }, round) => {
        const asked = drawRound(demand, requests, seededRandom(seed + round))
        const end = await play(asked)
        return { faults: faultsOf(asked, end), perSecond: (1000 * requests) / end.wallMs }
      })
      return [...played].map(([{ name, isRight }, rounds]) => ({ name, isRight, rounds }))
    } finally {
      await close()
    }
  } finally {
    await server.stop()
  }
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

/** All ways, for `clients` clients at once. */
type Ways = { ways: WayToDeduct[]; close: () => Promise<void> }

type OnThreads = { name: string; isRight: boolean; way: ThreadWay }

const onThreads: OnThreads[] = [
  { name: 'SQLite: update without a check', isRight: false, way: 'update' },
  { name: 'SQLite: select, then update', isRight: false, way: 'selectUpdate' },
  { name: 'SQLite: select and update under a lock', isRight: true, way: 'locked' },
  { name: 'SQLite: one conditional update', isRight: true, way: 'conditional' },
  { name: 'memory with a mutex, one server', isRight: true, way: 'oneServer' },
  { name: 'memory with a mutex, two servers', isRight: false, way: 'twoServers' },
]

type OnRedis = { name: string; isRight: boolean; demand: Demand; way: redis.RedisWay }

const onRedis: OnRedis[] = [
  { name: 'Redis: GET, then SET', isRight: false, demand: 'units', way: redis.getThenSet },
  { name: 'Redis: GET and SET under a lock key', isRight: true, demand: 'units', way: redis.underLockKey },
  { name: 'Redis: DECRBY, one unit each', isRight: false, demand: 'one', way: redis.decrby },
  { name: 'Redis: DECRBY, 0 to 5 units', isRight: false, demand: 'units', way: redis.decrby },
  { name: 'script of S1', isRight: true, demand: 'units', way: redis.scriptS1 },
  { name: 'script of S2', isRight: true, demand: 'units', way: redis.scriptS2 },
  { name: 'script of S4, one unit each', isRight: true, demand: 'one', way: redis.scriptS4 },
  { name: 'script of S5', isRight: true, demand: 'units', way: redis.scriptS5 },
  {
    name: 'script of S5, its answer as its caller reads it',
    isRight: false,
    demand: 'units',
    way: redis.scriptS5AsRead,
  },
  { name: 'steps of S9, each shopper twice at once', isRight: false, demand: 'twice', way: redis.twoStepsOfS9 },
  { name: 'reserve.lua', isRight: true, demand: 'units', way: redis.ours(5) },
  { name: 'reserve.lua, each shopper twice at once', isRight: true, demand: 'twice', way: redis.ours(1) },
]

/** Connects `clients` clients to `server`, and starts as many threads. */
async function openWays(server: RunningRedis, clients: number): Promise<Ways> {
  const threads = await openThreads(clients)
  const links = Array.from({ length: clients }, () => connectTo(server, { strict: false }))
  return {
    ways: [
      ...onThreads.map(
        ({ name, isRight, way }): WayToDeduct => ({
          ...{ name, isRight, demand: 'units' },
          play: (round) => threads.play(way, round),
        }),
      ),
      ...onRedis.map(
        ({ name, isRight, demand, way }): WayToDeduct => ({
          ...{ name, isRight, demand },
          play: (round) => redis.playOnRedis(links, way, round),
        }),
      ),
    ],
    async close() {
      for (const link of links) link.stop()
      await threads.close()
    },
  }
}
