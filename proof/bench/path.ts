/**
 * Accepted orders per second through the whole path (front, gate, function, Redis, queue, writer,
 * DynamoDB), what each costs in processor time, and the time until an order can be read. `reserve` runs in processes
 * that answer one request at a time, as on Lambda. The load runs in a process of its own on the same machine; a
 * request that is refused ends the measurement.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startStep } from '../../cli/progress.ts'
import { atLeast, atMost, exactly, inTurns, type Measurement } from './harness.ts'
import {
  allOrders,
  openForAll,
  type SaleForAll,
  signInAll,
  untilWritten,
  withOwnSystem,
  withoutSchedule,
} from './own-system.ts'
import { type CrowdResult, type CrowdSettings, crowdResult } from './path/crowd.ts'
import {
  addTimes,
  type Costs,
  costLines,
  costPerOrder,
  deployedUs,
  type ProcessorTime,
  readProcessorTime,
} from './processor-time.ts'
import { median, percentiles } from './statistics.ts'
import type { System } from './system.ts'

/** Processes of `reserve`, each of which answers one request at a time; more of them than processors displace each other. */
const environments = 2
const sampleEvery = 150
const patienceMs = 60_000

const targetPerSecond = 3000
const targetReadableMs = 2000
const targetUs = 600

/** One request at a time shows what an order costs where nothing is shared between requests, as on Lambda. */
const lanes = [
  { name: `${environments} environments`, connections: 128, orders: 2000 },
  { name: 'one at a time', connections: 1, orders: 600 },
] as const
type Lane = (typeof lanes)[number]

const rounds = 5

/**
 * A process is young for its first orders: of `reserve` alone, the first 500 cost 3.5 times as much processor time as
 * those after 2,500, the next 500 twice as much. Each environment has as many behind it before the first one counts.
 */
const warmUps = 3

export async function measurePath(): Promise<Measurement> {
  return withOwnSystem(
    async (system, stack) => {
      const child = startCrowd()
      try {
        const played = await inTurns(lanes, { rounds, warmUps }, async (lane) =>
          sell(child, system, await gather(system, lane)),
        )
        const costs = new Map<Lane, Costs>()
        for (const lane of lanes) {
          // Sold last, to find how much of each process's time is deployed code. Sign-ins are no part of it.
          const gathered = await gather(system, lane)
          const sampling = await stack.sampleWork()
          await sell(child, system, gathered)
          const spent = played.get(lane) ?? []
          costs.set(lane, costPerOrder(addTimes(spent), spent.length * lane.orders, await sampling.stop()))
        }
        return summary(played, costs)
      } finally {
        child.disconnect()
      }
    },
    { ...withoutSchedule, environments },
  )
}

/** `delays`: from reservation to written order, ms, of all accepted orders. */
type Sold = { crowd: CrowdResult; delays: number[]; before: ProcessorTime; after: ProcessorTime }

type Gathered = { sale: SaleForAll; settings: CrowdSettings }

/** Opens a sale to new shoppers, who have signed in. */
async function gather(system: System, { orders, connections }: Lane): Promise<Gathered> {
  // The gate has seen no token before: it remembers those that it has verified.
  const names = Array.from({ length: orders }, (_, i) => `p-${i}-${Date.now().toString(36)}`)
  const sessions = await signInAll(system, names, startStep)
  const sale = await openForAll(system, orders)
  const { saleId, startToken } = sale
  const settings = { url: system.url, saleId, startToken, sessions, connections, sampleEvery, patienceMs }
  return { sale, settings }
}

/**
 * Sells the whole sale.
 * @throws when a request was refused, or an order was not written in time
 */
async function sell(child: ChildProcess, system: System, { sale, settings }: Gathered): Promise<Sold> {
  const orders = settings.sessions.length
  const before = readProcessorTime()
  const crowd = await play(child, settings)
  const refused = Object.entries(crowd.refused).map(([status, count]) => `${count} × ${status}`)
  if (crowd.accepted !== orders) throw new Error(`of ${orders} requests were refused: ${refused.join(', ')}`)
  await untilWritten(sale, orders, patienceMs)
  const after = readProcessorTime()
  const delays = (await allOrders(system, sale, orders)).map((order) => order.writtenAt - order.reservedAt)
  return { crowd, delays, before, after }
}

/** One load process for all sales, so that its code is compiled too. */
function startCrowd(): ChildProcess {
  return fork(fileURLToPath(new URL('./path/crowd.ts', import.meta.url)))
}

async function play(child: ChildProcess, settings: CrowdSettings): Promise<CrowdResult> {
  child.send(settings)
  const [message] = await once(child, 'message')
  return crowdResult.parse(message)
}

function summary(played: ReadonlyMap<Lane, Sold[]>, costs: ReadonlyMap<Lane, Costs>): Measurement {
  const sold = lanes.map((lane) => played.get(lane) ?? [])
  const rates = sold.map((all) => all.map(({ crowd }) => crowd.accepted / crowd.seconds))
  const medians = (read: (one: Sold) => number) => sold.map((all) => median(all.map(read)))
  const whole = (values: number[]) => values.map((value) => value.toFixed(0))
  const unseen = sold.flat().reduce((sum, { crowd }) => sum + crowd.unseen, 0)
  const readable = medians(({ crowd }) => crowd.readable.p99Ms)
  const written = sold.map((all) => percentiles(all.flatMap(({ delays }) => delays)))
  const us = lanes.map((lane) => deployedUs(costs.get(lane)))
  return {
    name: 'path',
    heads: lanes.map(({ name }) => name),
    lines: [
      atLeast('accepted orders/s, load on the same machine', median(rates[0] ?? []), targetPerSecond, {
        value: rates.map((all) => median(all).toFixed(0)),
      }),
      { what: 'accepted orders/s, least and most', value: rates.map((all) => rangeOf(all)) },
      atMost('deployed code on the path of an order, µs', us.at(-1) ?? Number.NaN, targetUs, {
        value: whole(us),
        target: `${targetUs}, one at a time`,
      }),
      atMost('order readable after its 202, p99 ms', Math.max(...readable), targetReadableMs, {
        value: whole(readable),
      }),
      exactly('orders asked for that could not be read', unseen, 0),
      {
        what: 'order written after its unit, p50 / p99 ms',
        value: written.map(({ p50Ms, p99Ms }) => `${p50Ms} / ${p99Ms}`),
      },
      {
        what: '202 after the request, p50 / p99 ms',
        value: sold.map((all) => {
          const of = (which: 'p50Ms' | 'p99Ms') => median(all.map(({ crowd }) => crowd.answer[which]))
          return `${of('p50Ms')} / ${of('p99Ms')}`
        }),
      },
      ...lanes.flatMap((lane) => {
        const found = costs.get(lane)
        return found === undefined
          ? []
          : costLines(found).map(({ what, value }) => ({ what: `${what}; ${lane.name}`, value }))
      }),
    ],
  }
}

function rangeOf(values: number[]): string {
  return `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`
}
