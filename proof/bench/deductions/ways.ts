/** Every way of deducting from one stock that `bench -- deductions` judges (S10, S12). */
import type { RunningRedis } from '../../../local/redis/redis-server.ts'
import { connectTo } from '../../direct-redis.ts'
import * as redis from './redis-ways.ts'
import type { Demand, DrawnRound, Played } from './round.ts'
import type { ThreadWay } from './thread.ts'
import { openThreads } from './threads.ts'

/** `isRight`: no round of it may have a fault. Each of the others is wrong by design. */
export type WayToDeduct = {
  name: string
  demand: Demand
  isRight: boolean
  play: (round: DrawnRound) => Promise<Played>
}

/** All ways, for `clients` clients at once. */
export type Ways = { ways: WayToDeduct[]; close: () => Promise<void> }

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
  {
    name: 'steps of S9, each shopper twice at once',
    isRight: false,
    demand: 'twice',
    way: redis.twoStepsOfS9,
  },
  { name: 'reserve.lua', isRight: true, demand: 'units', way: redis.ours(5) },
  { name: 'reserve.lua, each shopper twice at once', isRight: true, demand: 'twice', way: redis.ours(1) },
]

/** Connects `clients` clients to `server`, and starts as many threads. */
export async function openWays(server: RunningRedis, clients: number): Promise<Ways> {
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
