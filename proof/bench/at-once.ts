/**
 * Deductions of 0 to 5 units that all arrive within one second, over the real way (S13, S14, G8): the deployed
 * bundle of `reserve` in processes that answer one request at a time, as on Lambda, and a stock over one to eight
 * databases, each a Redis server behind an Upstash API that answers so many commands in a second and no more. The
 * stock is exactly what all of them ask for, so at the end it is 0 and each answer has its hold.
 *
 * Usually with a 400th of a million deductions and a 40th of a database's commands: what ten such plays take one
 * after another, a million takes at full size, as long as the databases are the limit.
 */
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { dist } from '../../build.ts'
import { parseOrderId } from '../../core/ids.ts'
import { readJson } from '../../core/lib/parse.ts'
import type { FinalOrder } from '../../core/orders/order.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { basketUnits } from '../../core/sale/variants.ts'
import { warmWhole } from '../../functions/sales/effects.ts'
import { findBank } from '../../functions/table/stock/banks.ts'
import { type FunctionOrigins, openFunctionOrigins } from '../../local/cdn/function-origins.ts'
import { bodyHashHeader, signatureHeader, signOriginRequest } from '../../local/lambda/signature.ts'
import { openLogs } from '../../local/logs.ts'
import { environmentAddress } from '../../local/process/messages.ts'
import { startHost } from '../../local/process/rpc.ts'
import { connectRedis } from '../../redis/client.ts'
import { gateFactsOf, setGate } from '../../redis/gate/gate.ts'
import { readCounts } from '../../redis/stock/all-holds.ts'
import { perHttpFunction } from '../../system/functions.ts'
import { memoryTable, tableName } from '../simulation/dynamodb/memory-table.ts'
import { type ClickStores, withClickServices } from './click-services.ts'
import { mostUnits } from './deductions/lanes.ts'
import { exactly, type Measurement, withStep } from './harness.ts'
import { commandsRun, openSale, shopperIdOf, stockIn, withLimitedDatabases } from './limited-databases.ts'
import { read } from './read.ts'
import { keepBanking, keepWriting } from './split.ts'
import { type Percentiles, percentiles, quantile, seededRandom, spelled } from './statistics.ts'

/** `databases`: this number of them alone. */
export type AtOnceOptions = { deductions: number; commands: number; databases?: number }

/** A million deductions, and the commands in a second of Upstash's usual plan. */
const [million, usualCommands] = [1_000_000, 10_000]
export const usualAtOnce: AtOnceOptions = { deductions: million / 400, commands: usualCommands / 40 }

const usualCounts = [1, 2, 4, 8]

/** More than the databases can use: each request waits for its database, one at a time. */
const environments = 16

/**
 * Deductions that are sent or wait to be sent again. The others wait here for their turn at an environment, in the order of
 * their arrival: as requests, a million of them would not fit into the memory of a process.
 */
const senders = 256

const arrivalMs = 1000
const seed = 20_261_126

/** The time of the published report for a million. */
const targetSeconds = 26

/**
 * The share of the deductions whose time grows with their number. The rest waits for the last units, which move
 * between the shards: the transfers of a sale grow with the logarithm of its stock (docs/guide/sharding.md).
 */
const most = 0.9

/** Longer than an environment needs to start on a busy machine. */
const patienceMs = 2000

type Deduction = { shopper: number; quantity: number; dueMs: number; answered: () => void }

/**
 * `mostSeconds`: until nine of ten were accepted; `seconds`: until all were. `waits`: answers that asked to retry;
 * `refused`: deductions of 0 units.
 */
type Played = Percentiles & {
  seconds: number
  mostSeconds: number
  accepted: number
  refused: number
  waits: number
  sold: number
  left: number
  astray: number
  commands: number
}

export async function measureAtOnce({ deductions, commands, databases }: AtOnceOptions): Promise<Measurement> {
  const counts = databases === undefined ? usualCounts : [databases]
  const asked = drawn(deductions)
  const stock = asked.reduce((sum, { quantity }) => sum + quantity, 0)
  const played = await withStep('at once', counts.length * deductions, async (to) => {
    const results: Played[] = []
    let done = 0
    const answered = () => to(++done)
    const withBar = asked.map((one) => ({ ...one, answered }))
    for (const shards of counts) results.push(await playOver(shards, commands, withBar, stock))
    return results
  })
  const scale = (million / deductions) * (commands / usualCommands)
  const each = (show: (one: Played) => string | number) => played.map((one) => String(show(one)))
  const sums = (of: 'left' | 'astray') => played.reduce((sum, one) => sum + Math.abs(one[of]), 0)
  const last = played.at(-1)?.commands ?? Number.NaN
  const shareOfOrders = (played.at(-1)?.accepted ?? 0) / deductions
  const needed = (million * shareOfOrders * last) / usualCommands / targetSeconds
  return {
    name: `${spelled(deductions)} deductions at once, databases of ${spelled(commands)} commands/s`,
    heads: counts.map(String),
    lines: [
      exactly(`units left of ${spelled(stock)} when all were answered`, sums('left'), 0, {
        value: each(({ left }) => left),
        target: '0 each',
      }),
      exactly('answers whose units are not those of their hold', sums('astray'), 0, {
        value: each(({ astray }) => astray),
        target: '0 each',
      }),
      {
        what: 'from the first arrival until 90 % are accepted, s',
        value: each(({ mostSeconds }) => mostSeconds.toFixed(1)),
      },
      { what: 'the same until all are, s', value: each(({ seconds }) => seconds.toFixed(1)) },
      { what: 'accepted/s until 90 %', value: each((one) => Math.round(rateOf(one))) },
      {
        what: 'from arrival to the 202, p50 / p99 s',
        value: each(({ p50Ms, p99Ms }) => `${(p50Ms / 1000).toFixed(1)} / ${(p99Ms / 1000).toFixed(1)}`),
      },
      { what: 'accepted', value: each(({ accepted }) => spelled(accepted)) },
      { what: 'refused, because they ask for 0 units', value: each(({ refused }) => spelled(refused)) },
      { what: 'answers that asked to retry', value: each(({ waits }) => spelled(waits)) },
      {
        what: 'commands for each accepted one, all included',
        value: each(({ commands }) => commands.toFixed(2)),
      },
      {
        what: `a million with ${spelled(usualCommands)} commands/s in each database, s (× ${scale.toFixed(1)})`,
        value: each((one) => ((one.accepted / rateOf(one)) * scale).toFixed(0)),
      },
      {
        what: `databases of ${spelled(usualCommands)} commands/s for a million in ${targetSeconds} s, by the commands`,
        value: [...counts.slice(1).map(() => ''), String(Math.ceil(needed))],
      },
    ],
  }
}

const rateOf = ({ accepted, mostSeconds }: Played): number => (most * accepted) / mostSeconds

/** The same for every number of databases. */
function drawn(deductions: number): Omit<Deduction, 'answered'>[] {
  const random = seededRandom(seed)
  return Array.from({ length: deductions }, (_, shopper) => ({
    shopper,
    quantity: Math.floor(random() * (mostUnits + 1)),
    dueMs: random() * arrivalMs,
  })).toSorted((a, b) => a.dueMs - b.dueMs)
}

async function playOver(
  shards: number,
  commandsPerSecond: number,
  asked: readonly Deduction[],
  stock: number,
): Promise<Played> {
  const gateLimit = { count: 1, commandsPerSecond: million }
  return withLimitedDatabases(gateLimit, ([gate]) =>
    withLimitedDatabases({ count: shards, commandsPerSecond }, async (databases) => {
      if (gate === undefined) throw new Error('there is no database of the gate')
      const names = databases.map(({ name }) => name)
      const terms = { stock, shards, limitPerShopper: mostUnits, maxPerOrder: mostUnits }
      const sale: Sale = { ...openSale('at-once', terms), databases: names }
      const stocks = stockIn(databases, () => names)
      const ports = {
        stock: stocks,
        table: { client: memoryTable().client, name: tableName },
        clock: Date.now,
      }
      await warmWhole(ports, { sale, revision: 1, finishedStockChanges: [] })
      await setGate(connectRedis({ ...gate, timeoutMs: patienceMs }), gateFactsOf(sale, { frozen: false }))
      return withEnvironments({ databases, gate }, async (origins, secret) => {
        const before = await commandsRun(databases)
        let isOver = false
        const queued: FinalOrder[] = []
        const beside = [keepBanking(ports, sale, () => isOver), keepWriting(stocks, sale, queued, () => isOver)]
        const answers = await deductAll(origins, secret, sale, asked, queued)
        isOver = true
        await Promise.all(beside)
        const ran = (await commandsRun(databases)) - before
        const found = await readCounts(stocks, sale.saleId)
        const pool = basketUnits((await findBank(ports.table, sale.saleId))?.pool ?? {})
        if (found === undefined) throw new Error('the stock is gone')
        const held = new Map(found.holds.map(({ orderId, quantity }) => [String(orderId), quantity]))
        const { taken, ...times } = answers
        const accepted = taken.size
        return {
          ...times,
          accepted,
          sold: found.booked,
          left: pool + found.total - found.booked,
          astray:
            [...taken].filter(([orderId, quantity]) => held.get(orderId) !== quantity).length +
            Math.abs(held.size - accepted),
          commands: ran / accepted,
        }
      })
    }),
  )
}

/** Runs the bundle of `reserve` in `environments` processes, with a queue and the databases, for `work`. */
async function withEnvironments<T>(
  stores: ClickStores,
  work: (origins: FunctionOrigins, signingSecret: string) => Promise<T>,
): Promise<T> {
  return withClickServices(stores, async (environment, keep) => {
    const logs = keep(await openLogs(undefined))
    const signingSecret = 'secret-of-the-bench'
    const urls = await Promise.all(
      Array.from({ length: environments }, async (_, number) => {
        const host = startHost('environment-host.ts', logs.file(`reserve-${number}`), (why) => {
          throw new Error(`an environment has ended: ${why}`)
        })
        keep({ stop: () => host.stop(patienceMs) })
        return (await host.start({ dist, environment, signingSecret }, environmentAddress)).url
      }),
    )
    const origins = keep(
      openFunctionOrigins(
        perHttpFunction(() => 'http://127.0.0.1:9'),
        urls,
      ),
    )
    return work(origins, signingSecret)
  })
}

const won = z.object({ orderId: z.string(), quantity: z.number() })
const refusal = z.object({ code: z.string() })

type Answers = Percentiles &
  Pick<Played, 'seconds' | 'mostSeconds' | 'refused' | 'waits'> & { taken: ReadonlyMap<string, number> }

/**
 * Sends each deduction when it is due, and again when an answer says so.
 * @throws for any other refusal than that of 0 units
 */
async function deductAll(
  origins: FunctionOrigins,
  signingSecret: string,
  sale: Sale,
  asked: readonly Deduction[],
  queued: FinalOrder[],
): Promise<Answers> {
  const reserve = origins.originOf('reserve')
  const path = `/api/sales/${sale.saleId}/orders`
  const from = performance.now()
  const taken = new Map<string, number>()
  const tookMs: number[] = []
  const doneMs: number[] = []
  let [refused, waits] = [0, 0]
  async function deduct({ shopper, quantity, dueMs, answered }: Deduction): Promise<void> {
    await sleep(Math.max(0, from + dueMs - performance.now()))
    const shopperId = shopperIdOf(shopper)
    const body = JSON.stringify({ quantity, startToken: sale.startToken })
    const bodyHash = hash('sha256', body, 'hex')
    const headers = Object.entries({
      'content-type': 'application/json',
      'idempotency-key': `deduction-${shopper}`,
      'x-shopper-id': shopperId,
      'x-request-id': `request-${shopper}`,
      [bodyHashHeader]: bodyHash,
      [signatureHeader]: signOriginRequest(signingSecret, 'POST', path, bodyHash),
    }).flat()
    for (;;) {
      const answer = await reserve.send({ method: 'POST', path, headers, body })
      const text = answer.body.toString()
      if (answer.status < 300) {
        const order = read(won, JSON.parse(text))
        const orderId = parseOrderId(order.orderId)
        if (orderId === undefined) throw new Error(`${order.orderId} is not an order id`)
        taken.set(orderId, order.quantity)
        doneMs.push(performance.now() - from)
        tookMs.push(performance.now() - from - dueMs)
        queued.push({ orderId, shopperId })
        answered()
        return
      }
      const problem = readJson(refusal, text)
      const code = problem.ok ? problem.value.code : text
      if (code === 'invalid-request' && quantity === 0) {
        refused += 1
        answered()
        return
      }
      if (answer.status !== 503) throw new Error(`a deduction was answered ${answer.status} ${code}`)
      waits += 1
      await sleep(1000 * Number(answer.headers['retry-after'] ?? 1))
    }
  }
  const waiting = asked.values()
  const sendAll = async () => {
    for (const deduction of waiting) await deduct(deduction)
  }
  await Promise.all(Array.from({ length: senders }, sendAll))
  const [mostMs = Number.NaN, lastMs = Number.NaN] = [quantile(doneMs, most), quantile(doneMs, 1)]
  const times = { mostSeconds: mostMs / 1000, seconds: lastMs / 1000, ...percentiles(tookMs) }
  return { ...times, taken, refused, waits }
}
