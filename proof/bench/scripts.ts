/** `npm run bench -- scripts`: what reserve.lua costs Redis, compared with the minimum a script could do. */
import { startRedis } from '../../local/redis/redis-server.ts'
import { openLink, type RedisLink } from '../../local/upstash/link.ts'
import { atMost, type Measurement, type Rounds } from './harness.ts'
import { laneTimes, runLane, send } from './scripts/lane-time.ts'
import { acceptedLane, emptyStock, laneKeys, lanesOf, type ScriptLaneName, stockKey } from './scripts/lanes.ts'
import { median } from './statistics.ts'

const rounds = 9
const buyers = 4000
const grownTo = [1000, 10_000, 100_000, 1_000_000]
const mostBytesPerBuyer = 320

/**
 * Microseconds that each answer of reserve.lua costs Redis, compared with a script that only
 * counts.
 */
export async function measureScripts(): Promise<Measurement> {
  const { costs, grown, redis } = await benchScripts({ rounds, step: 'scripts', buyers, grownTo })
  const ratios = costs.flatMap(({ name, ratio, target }) =>
    target === undefined ? [] : [atMost(`reserve.lua, ${name} ÷ counting script`, ratio, target, { digits: 2 })],
  )
  const cancelled = costs.flatMap(({ name, cancelledRatio }) =>
    cancelledRatio === undefined ? [] : [atMost(`reserve.lua, ${name} ÷ never`, cancelledRatio, 2.5, { digits: 2 })],
  )
  const growth = grown.map(({ buyers, microseconds, bytesPerBuyer }) =>
    atMost(
      `reserve.lua, accept with ${buyers} buyers, µs per call; bytes of each buyer`,
      bytesPerBuyer,
      mostBytesPerBuyer,
      {
        value: `${microseconds.toFixed(2)}; ${bytesPerBuyer.toFixed(0)}`,
        target: `${mostBytesPerBuyer} bytes`,
      },
    ),
  )
  const others = costs.map(({ name, microseconds, bareRatio }) => ({
    what: `${name}, µs per call in Redis (÷ bare script)`,
    value: `${microseconds.toFixed(2)} (${bareRatio.toFixed(2)})`,
  }))
  return { name: `scripts (Redis ${redis})`, lines: [...ratios, ...cancelled, ...growth, ...others] }
}

/**
 * * `npm run bench -- scripts`: what reserve.lua costs Redis, compared with the minimum a script could do. * Rounds of
 * a sale with `buyers` buyers each, and the numbers of buyers at which one more is measured. /
 */
type ScriptsOptions = Rounds & { buyers: number; grownTo: readonly number[] }

/**
 * The median microseconds per call inside Redis, and its ratios to both baselines. `target` is the
 * largest acceptable ratio to `counting`; baselines have none.
 */
type ScriptCost = {
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

const targets: Partial<Record<ScriptLaneName, number>> = { 'sold-out': 1.0, repeat: 1.9, accept: 2.0 }

/**
 * Runs the lanes.
 * @throws when a script gives a wrong answer, because its time would mean nothing
 */
async function benchScripts(options: ScriptsOptions): Promise<{ redis: string; costs: ScriptCost[]; grown: Grown[] }> {
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

/**
 * What one more buyer costs a sale that already has many: Redis's time and its memory. The median microseconds of an
 * accepted purchase once there are `buyers`, and the bytes of each.
 */
type Grown = { buyers: number; microseconds: number; bytesPerBuyer: number }

/** How many purchases are sent and timed together. */
const group = 2000

/** The groups whose median counts. */
const groups = 7

/**
 * Measures one sale at each of `counts`, in ascending order.
 * @throws when a purchase is not accepted
 */
async function growth(link: RedisLink, counts: readonly number[]): Promise<Grown[]> {
  const units = Math.max(...counts) + counts.length * groups * group
  const [, , empty] = await send(link, [...emptyStock(units), ['MEMORY', 'USAGE', stockKey, 'SAMPLES', '0']])
  let sold = 0
  const sell = async (count: number) => {
    const microseconds = await runLane(link, acceptedLane(sold, count))
    sold += count
    return microseconds
  }
  const grown: Grown[] = []
  for (const buyers of counts) {
    while (sold < buyers) await sell(Math.min(group, buyers - sold))
    const [full] = await send(link, [['MEMORY', 'USAGE', stockKey, 'SAMPLES', '0']])
    const bytesPerBuyer = (Number(full) - Number(empty)) / sold
    const times: number[] = []
    for (let at = 0; at < groups; at += 1) times.push(await sell(group))
    grown.push({ buyers, microseconds: median(times), bytesPerBuyer })
  }
  return grown
}
