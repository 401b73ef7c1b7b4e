/**
 * Accepted orders per second through the whole path (front, gate, function, Redis, queue, writer,
 * DynamoDB), what each costs in processor time, and the time until an order is written. `reserve` runs in processes
 * that answer one request at a time, as on Lambda. The load runs in a process of its own on the same machine; a
 * request that is refused ends the measurement.
 */
import { atLeast, atMost, inTurns, type Measurement } from './harness.ts'
import { type Clicked, type LoadProcess, startLoad } from './load/clicks.ts'
import { offerToAll, type RunningSluice } from './load/sluice-clicks.ts'
import { allOrders, untilWritten, withOwnSystem, withoutSchedule } from './own-system.ts'
import {
  addTimes,
  type Between,
  type Costs,
  costLines,
  costPerOrder,
  deployedUs,
  readProcessorTime,
} from './processor-time.ts'
import { median, percentiles } from './statistics.ts'

/** Processes of `reserve`, each of which answers one request at a time; more of them than processors displace each other. */
const environments = 2
const patienceMs = 60_000

const targetPerSecond = 3000
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
      const running = { system, stack }
      const load = startLoad()
      try {
        const played = await inTurns(lanes, { rounds, warmUps }, async (lane) =>
          (await gather(load, running, lane)).sell(),
        )
        const costs = new Map<Lane, Costs>()
        for (const lane of lanes) {
          // Sold last, to find how much of each process's time is deployed code. Sign-ins are no part of it.
          const gathered = await gather(load, running, lane)
          const sampling = await stack.sampleWork()
          await gathered.sell()
          const spent = played.get(lane) ?? []
          costs.set(lane, costPerOrder(addTimes(spent), spent.length * lane.orders, await sampling.stop()))
        }
        return summary(played, costs)
      } finally {
        await load.stop()
      }
    },
    { ...withoutSchedule, environments },
  )
}

/** `delays`: from reservation to written order, ms, of all orders. */
type Sold = Between & { clicked: Clicked; delays: number[] }

/** Opens a sale to new shoppers; `sell` sells all of it, and throws when an order is not written in time. */
async function gather(
  load: LoadProcess,
  running: RunningSluice,
  { orders, connections }: Lane,
): Promise<{ sell(): Promise<Sold> }> {
  const { sale, buys } = await offerToAll(running, orders)
  return {
    async sell() {
      const before = readProcessorTime()
      const clicked = await load.click(buys, { connections, withinMs: patienceMs })
      await untilWritten(sale, orders, patienceMs)
      const after = readProcessorTime()
      const written = await allOrders(running.system, sale, orders)
      return { clicked, delays: written.map((order) => order.writtenAt - order.reservedAt), before, after }
    },
  }
}

function summary(played: ReadonlyMap<Lane, Sold[]>, costs: ReadonlyMap<Lane, Costs>): Measurement {
  const sold = lanes.map((lane) => played.get(lane) ?? [])
  const rates = lanes.map((lane, at) => (sold[at] ?? []).map(({ clicked }) => lane.orders / clicked.seconds))
  const us = lanes.map((lane) => deployedUs(costs.get(lane)))
  return {
    name: 'path',
    heads: lanes.map(({ name }) => name),
    lines: [
      atLeast('accepted orders/s, load on the same machine', median(rates[0] ?? []), targetPerSecond, {
        value: rates.map((all) => median(all).toFixed(0)),
      }),
      {
        what: 'accepted orders/s, least and most',
        value: rates.map((all) => `${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)}`),
      },
      atMost('deployed code on the path of an order, µs', us.at(-1) ?? Number.NaN, targetUs, {
        value: us.map((one) => one.toFixed(0)),
        target: `${targetUs}, one at a time`,
      }),
      {
        what: 'order written after its unit, p50 / p99 ms',
        value: sold.map((all) => {
          const { p50Ms, p99Ms } = percentiles(all.flatMap(({ delays }) => delays))
          return `${p50Ms} / ${p99Ms}`
        }),
      },
      {
        what: '202 after the request, p50 / p99 ms',
        value: sold.map((all) => {
          const of = (which: 'p50Ms' | 'p99Ms') => median(all.map(({ clicked }) => clicked[which]))
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
