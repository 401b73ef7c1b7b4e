/**
 * `npm run bench -- scripts`: what reserve.lua costs Redis, side by side with the least a script could do.
 *
 * The time is Redis's own (INFO commandstats, microseconds per EVALSHA), so neither the network nor the client is
 * in it. All scripts run on one server, in turns, and the median round counts: what else the machine does hits
 * them alike, and only the ratios mean anything elsewhere.
 */
import { startRedis } from '../../local/redis-server.ts'
import { openLink, type RedisLink } from '../../local/upstash/link.ts'
import { RedisError, type Reply } from '../../local/upstash/resp.ts'
import { median } from '../statistics.ts'
import { type Lane, type LaneName, laneKeys, lanesOf } from './lanes.ts'

/** `rounds` of a sale with `buyers` buyers each; `onRound` is told after each round. */
export type ScriptsOptions = { rounds: number; buyers: number; onRound?: (done: number) => void }

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
}

const targets: Partial<Record<LaneName, number>> = { 'sold-out': 1.2, repeat: 1.5, accept: 2.5 }

/** How many calls are sent at once. */
const burst = 100

/** Throws when a script does not answer as it must, for then its time means nothing. */
export async function benchScripts(options: ScriptsOptions): Promise<{ redis: string; costs: ScriptCost[] }> {
  const server = await startRedis()
  const link = openLink(server)
  try {
    const microseconds = await microsecondsOf(link, options)
    const of = (name: LaneName) => microseconds.get(name) ?? Number.NaN
    const costs = [...microseconds].map(([name, value]): ScriptCost => {
      const target = targets[name]
      const cost = { name, microseconds: value, ratio: value / of('counting'), bareRatio: value / of('bare') }
      return target === undefined ? cost : { ...cost, target }
    })
    return { redis: `${server.kind} ${server.version}`, costs }
  } finally {
    // The server may be one that was already running: nothing stays behind in it.
    await link.send([['DEL', ...laneKeys]]).finally(() => link.close())
    await server.stop()
  }
}

async function microsecondsOf(link: RedisLink, options: ScriptsOptions): Promise<Map<LaneName, number>> {
  const { rounds, buyers, onRound } = options
  const lanes = lanesOf(buyers)
  const found = new Map<LaneName, number[]>(lanes.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const lane of lanes) {
      const microseconds = await runLane(link, lane)
      // The round before the first warms caches and memory up.
      if (round > 0) found.get(lane.name)?.push(microseconds)
    }
    if (round > 0) onRound?.(round)
  }
  return new Map([...found].map(([name, times]) => [name, median(times)]))
}

async function runLane(link: RedisLink, { name, source, before, calls, code }: Lane): Promise<number> {
  const [sha] = await send(link, [['SCRIPT', 'LOAD', source], ...before, ['CONFIG', 'RESETSTAT']])
  let last: Reply = null
  for (let at = 0; at < calls.length; at += burst) {
    const replies = await send(
      link,
      calls
        .slice(at, at + burst)
        .map(({ keys, args }) => ['EVALSHA', String(sha), String(keys.length), ...keys, ...args]),
    )
    last = replies.at(-1) ?? null
  }
  const answer = String(Array.isArray(last) ? last[0] : last)
  if (answer !== code) throw new Error(`${name} answered ${answer} instead of ${code}`)

  const [info] = await send(link, [['INFO', 'commandstats']])
  const [, count, microseconds] = /cmdstat_evalsha:calls=(\d+),usec=(\d+)/.exec(String(info)) ?? []
  if (Number(count) !== calls.length)
    throw new Error('somebody else uses this Redis: its counts are not ours')
  return Number(microseconds) / calls.length
}

async function send(link: RedisLink, commands: string[][]): Promise<Reply[]> {
  const replies = await link.send(commands)
  const fault = replies.find((reply) => reply instanceof RedisError)
  if (fault instanceof RedisError) throw new Error(fault.message)
  return replies
}
