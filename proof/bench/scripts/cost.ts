/**
 * `npm run bench -- scripts`: what reserve.lua costs Redis, compared with the minimum a script
 * could do.
 */
import { startRedis } from '../../../local/redis/redis-server.ts'
import { openLink } from '../../../local/upstash/link.ts'
import type { Rounds } from '../harness.ts'
import { type Grown, growth } from './growth.ts'
import { laneTimes } from './lane-time.ts'
import { laneKeys, lanesOf, type ScriptLaneName } from './lanes.ts'

/**
 * Rounds of a sale with `buyers` buyers each, and the numbers of buyers at which one more is
 * measured.
 */
export type ScriptsOptions = Rounds & { buyers: number; grownTo: readonly number[] }

/**
 * The median microseconds per call inside Redis, and its ratios to both baselines. `target` is the
 * largest acceptable ratio to `counting`; baselines have none.
 */
export type ScriptCost = {
  name: ScriptLaneName
  microseconds: number
  ratio: number
  bareRatio: number
  target?: number
  /**
   * The ratio to the lane of returning shoppers who never cancelled, for lanes about cancelling.
   */
  cancelledRatio?: number
}

const targets: Partial<Record<ScriptLaneName, number>> = { 'sold-out': 0.9, repeat: 1.1, accept: 1.3 }

/**
 * Runs the lanes.
 * @throws when a script gives a wrong answer, because its time would mean nothing
 */
export async function benchScripts(
  options: ScriptsOptions,
): Promise<{ redis: string; costs: ScriptCost[]; grown: Grown[] }> {
  const server = await startRedis()
  const link = openLink(server)
  try {
    const microseconds = await laneTimes(link, lanesOf(options.buyers), options)
    const of = (name: ScriptLaneName) => microseconds.get(name) ?? Number.NaN
    const costs = [...microseconds].map(([name, value]): ScriptCost => {
      const target = targets[name]
      const cost = { name, microseconds: value, ratio: value / of('counting'), bareRatio: value / of('bare') }
      if (name.startsWith('after')) return { ...cost, cancelledRatio: value / of('returning') }
      return target === undefined ? cost : { ...cost, target }
    })
    const grown = await growth(link, options.grownTo)
    return { redis: `${server.kind} ${server.version}`, costs, grown }
  } finally {
    // The server may be a shared one: remove everything.
    await link.send([['DEL', ...laneKeys]]).finally(() => link.close())
    await server.stop()
  }
}
