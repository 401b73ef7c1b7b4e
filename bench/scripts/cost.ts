/**
 * `npm run bench -- scripts`: what reserve.lua costs Redis, side by side with the least a script could do.
 */
import { startRedis } from '../../local/redis-server.ts'
import { openLink } from '../../local/upstash/link.ts'
import { laneTimes, type Rounds } from './lane-time.ts'
import { type LaneName, laneKeys, lanesOf } from './lanes.ts'

/** Rounds of a sale with `buyers` buyers each. */
export type ScriptsOptions = Rounds & { buyers: number }

/**
 * The median microseconds per call inside Redis, and its ratios to both baselines. `target` is the largest
 * acceptable ratio to `counting`; baselines have none.
 */
export type ScriptCost = {
  name: LaneName
  microseconds: number
  ratio: number
  bareRatio: number
  target?: number
  /** To the lane of shoppers who come back and never cancelled, where the lane is about cancelling. */
  cancelledRatio?: number
}

const targets: Partial<Record<LaneName, number>> = { 'sold-out': 1.2, repeat: 1.5, accept: 2.5 }

/** Throws when a script does not answer as it must, for then its time means nothing. */
export async function benchScripts(options: ScriptsOptions): Promise<{ redis: string; costs: ScriptCost[] }> {
  const server = await startRedis()
  const link = openLink(server)
  try {
    const microseconds = await laneTimes(link, lanesOf(options.buyers), options)
    const of = (name: LaneName) => microseconds.get(name) ?? Number.NaN
    const costs = [...microseconds].map(([name, value]): ScriptCost => {
      const target = targets[name]
      const cost = { name, microseconds: value, ratio: value / of('counting'), bareRatio: value / of('bare') }
      if (name.startsWith('after')) return { ...cost, cancelledRatio: value / of('returning') }
      return target === undefined ? cost : { ...cost, target }
    })
    return { redis: `${server.kind} ${server.version}`, costs }
  } finally {
    // The server may be one that was already running: nothing stays behind in it.
    await link.send([['DEL', ...laneKeys]]).finally(() => link.close())
    await server.stop()
  }
}
