/**
 * Measures the cost of reserve.lua in Redis against a minimal script. The times are those of Redis (INFO commandstats,
 * µs per EVALSHA), without network and client. All scripts run on one server in rounds and the median counts: other
 * load affects them equally, and only the ratios apply to other machines.
 */
import { startRedis } from '../../local/redis/redis-server.ts'
import { openLink, type RedisLink } from '../../local/upstash/link.ts'
import { RedisError, type RespReply } from '../../local/upstash/resp.ts'
import { runnable } from '../../local/upstash/scripts.ts'
import reserveSource from '../../redis/buy/reserve.lua'
import { reserveCall } from '../../redis/buy/reserve.ts'
import { shopperPrefix, stockKeys } from '../../redis/keys.ts'
import { stockDefinition } from '../../redis/stock/stock-definition.ts'
import { benchPurchase, benchSaleId, openBenchSale } from './bench-sale.ts'
import { atMost, type MeasuredLine, type Measurement, playRounds } from './harness.ts'
import { median } from './statistics.ts'

const rounds = 9
const buyers = 4000

type LaneName =
  | 'counting script'
  | 'accept'
  | 'repeat'
  | 'sold-out'
  | 'returning'
  | 'after cancelling'
  | 'after cancelling most'

/** The maximum ratio of the times of two lanes. `returning` shoppers never cancelled. */
const targets: [LaneName, baseline: LaneName, limit: number][] = [
  ['sold-out', 'counting script', 1],
  ['repeat', 'counting script', 1.9],
  ['accept', 'counting script', 2],
  ['after cancelling', 'returning', 2.5],
  ['after cancelling most', 'returning', 2.5],
]

/** @throws when a script gives a wrong answer, because its time would be meaningless */
export async function measureScripts(): Promise<Measurement> {
  const server = await startRedis()
  const link = openLink(server)
  try {
    const found = await playRounds(lanes(), { rounds, step: 'scripts' }, (lane) => timeLane(link, lane))
    const costs = new Map([...found].map(([{ name }, times]) => [name, median(times)]))
    const of = (name: LaneName) => costs.get(name) ?? Number.NaN
    return {
      name: `scripts (Redis ${server.kind} ${server.version})`,
      lines: [
        ...targets.map(([name, baseline, limit]) =>
          atMost(`reserve.lua, ${name} ÷ ${baseline}`, of(name) / of(baseline), limit, { digits: 2 }),
        ),
        ...(await growth(link)),
        ...[...costs].map(([name, us]) => ({ what: `${name}, µs per call in Redis`, value: us.toFixed(2) })),
      ],
    }
  } finally {
    link.close()
    await server.stop()
  }
}

/** One script and its calls in a round; `before` prepares the data, `code` is the expected answer to the last call. */
type Lane = { name: LaneName; source: string; before: string[][]; calls: Call[]; code: string }

type Call = { keys: string[]; args: string[] }

const saleId = benchSaleId('bench-scripts')
const { stock, outbox } = stockKeys(saleId)
const countingKey = 'bench:{counting}'

/** Has the keys, arguments and reply format of reserve.lua, so the ratio shows the cost of checks and records. */
const counting = `local stock = redis.call('HMGET', KEYS[1], 'total', 'booked')
local remaining = stock[1] - stock[2] - ARGV[3]
if remaining < 0 then return {17, remaining} end
redis.call('HINCRBY', KEYS[1], 'booked', ARGV[3])
return {1, remaining}`

const reserve = { source: runnable(reserveSource, 'none') }

/** Number of shoppers in the lanes about cancelling; each has a long record. */
const returning = 400

/** Returns the lanes of a sale with one unit for each of `buyers`, in the order in which they must run. */
function lanes(): Lane[] {
  const calls = Array.from({ length: 2 * buyers }, (_, shopper) => callOf(shopper))
  const [first, late, again] = [calls.slice(0, buyers), calls.slice(buyers), calls.slice(0, returning)]
  const cancelling = (name: LaneName, ended: number, code: string): Lane => {
    const records = again.map(({ args }) => ['HSET', stock, `${shopperPrefix}${args[0]}`, endedOf(ended)])
    return { ...reserve, name, before: [...newStock(buyers), ...records], calls: again, code }
  }
  return [
    {
      name: 'counting script',
      source: counting,
      before: [['HSET', countingKey, 'total', String(buyers), 'booked', '0']],
      calls: first.map(({ keys, args }) => ({ keys: [countingKey, ...keys.slice(1)], args })),
      code: '1',
    },
    { ...reserve, name: 'accept', before: newStock(buyers), calls: first, code: '1' },
    { ...reserve, name: 'repeat', before: [], calls: first, code: '2' },
    { ...reserve, name: 'sold-out', before: [], calls: late, code: '17' },
    cancelling('returning', 0, '1'),
    cancelling('after cancelling', 29, '1'),
    cancelling('after cancelling most', 30, '16'),
  ]
}

function newStock(units: number): string[][] {
  const definition = stockDefinition(openBenchSale(saleId, { stock: units, limitPerShopper: 2, maxPerOrder: 2 }))
  const fields = { total: String(units), booked: '0', stockRevision: '0', ...definition }
  return [
    ['DEL', stock, outbox],
    ['HSET', stock, ...Object.entries(fields).flat()],
  ]
}

const callOf = (shopper: number): Call => reserveCall({ ...benchPurchase(saleId, shopper), quantity: 1 })

/** Returns the record of a shopper who cancelled `count` orders and whose last request is an hour old. */
function endedOf(count: number): string {
  const before = Date.now() - 3_600_000
  const ended = Array.from({ length: count }, (_, order) => [
    callOf(1_000_000 + order).args[1],
    { units: 0, at: before },
  ])
  return JSON.stringify({ orders: Object.fromEntries(ended), tries: [before] })
}

/** Calls in one pipeline. */
const burst = 100

/** Runs the lane once and returns µs per call. */
async function timeLane(link: RedisLink, { name, source, before, calls, code }: Lane): Promise<number> {
  const [sha] = await send(link, [['SCRIPT', 'LOAD', source], ...before, ['CONFIG', 'RESETSTAT']])
  const commands = calls.map(({ keys, args }) => ['EVALSHA', String(sha), String(keys.length), ...keys, ...args])
  let last: RespReply = null
  for (let at = 0; at < commands.length; at += burst) {
    last = (await send(link, commands.slice(at, at + burst))).at(-1) ?? null
  }
  const answer = String(Array.isArray(last) ? last[0] : last)
  if (answer !== code) throw new Error(`${name} answered ${answer} instead of ${code}`)

  const [info] = await send(link, [['INFO', 'commandstats']])
  const [, count, microseconds] = /cmdstat_evalsha:calls=(\d+),usec=(\d+)/.exec(String(info)) ?? []
  if (Number(count) !== calls.length) throw new Error('another client uses this Redis: the counts are not valid')
  return Number(microseconds) / calls.length
}

/**
 * Sends `commands` in one pipeline and returns the replies.
 * @throws when one is an error
 */
async function send(link: RedisLink, commands: string[][]): Promise<RespReply[]> {
  const replies = await link.send(commands)
  const fault = replies.find((reply) => reply instanceof RedisError)
  if (fault instanceof RedisError) throw new Error(fault.message)
  return replies
}

/** Numbers of buyers at which the cost of one more is measured, ascending. */
const grownTo = [1000, 10_000, 100_000, 1_000_000]
const maxBytesPerBuyer = 320

/** Purchases timed together, and the number of such groups, whose median counts. */
const [group, groups] = [2000, 7]

/** Measures the cost of one more buyer in a sale that already has many: time and memory of Redis. */
async function growth(link: RedisLink): Promise<MeasuredLine[]> {
  const memory = ['MEMORY', 'USAGE', stock, 'SAMPLES', '0']
  const [, , empty] = await send(link, [...newStock(Math.max(...grownTo) + grownTo.length * groups * group), memory])
  let sold = 0
  const sell = async (count: number) => {
    const calls = Array.from({ length: count }, (_, at) => callOf(sold + at))
    sold += count
    // An empty outbox, as when all earlier orders were written.
    return timeLane(link, { ...reserve, name: 'accept', before: [['DEL', outbox]], calls, code: '1' })
  }
  const lines: MeasuredLine[] = []
  for (const count of grownTo) {
    while (sold < count) await sell(Math.min(group, count - sold))
    const [full] = await send(link, [memory])
    const bytesPerBuyer = (Number(full) - Number(empty)) / sold
    const times: number[] = []
    for (let at = 0; at < groups; at += 1) times.push(await sell(group))
    const what = `reserve.lua, accept with ${count} buyers, µs per call; bytes of each buyer`
    const value = `${median(times).toFixed(2)}; ${bytesPerBuyer.toFixed(0)}`
    lines.push(atMost(what, bytesPerBuyer, maxBytesPerBuyer, { value, target: `${maxBytesPerBuyer} bytes` }))
  }
  return lines
}
