/**
 * Accepted orders per second through the whole path (front, gate, function, Redis, queue, writer,
 * DynamoDB), and the time until an order can be read. The load runs in a process of its own on the
 * same machine.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { controlClient } from '../../cli/control-client.ts'
import type { ShopperSession } from '../../cli/pass.ts'
import { startStep } from '../../cli/progress.ts'
import { type OpenSale, openGoodsSale } from '../rush/open-sale.ts'
import { atLeast, exactly, type Measurement } from './harness.ts'
import { withOwnSystem, withoutSchedule } from './own-system.ts'
import { type CrowdResult, type CrowdSettings, crowdResult } from './path/crowd.ts'
import {
  type Costs,
  costLines,
  costPerOrder,
  type ProcessorTime,
  readProcessorTime,
} from './processor-time.ts'
import { signInAll } from './sign-in.ts'
import { percentiles } from './statistics.ts'
import type { System } from './system.ts'

const orders = 6000
const warmUpOrders = 6000
/** Sold last, to find how much of each process's time is deployed code. */
const sampledOrders = 3000
const connections = 128
const sampleEvery = 150
const patienceMs = 60_000

const targetPerSecond = 3000
const targetReadableMs = 2000

export async function measurePath(): Promise<Measurement> {
  return withOwnSystem(async (system, stack) => {
    const child = startCrowd()
    try {
      const names = Array.from({ length: warmUpOrders + orders + sampledOrders }, (_, i) => `p-${i}`)
      const sessions = await signInAll(system, names, startStep)
      // Warm-up: the first orders run code that is not compiled yet.
      await sell(child, system, await open(system, warmUpOrders), sessions.splice(0, warmUpOrders))
      const sale = await open(system, orders)
      const { crowd, before, after } = await sell(child, system, sale, sessions.splice(0, orders))
      const written = await writtenDelays(system, sale, crowd.accepted)
      const sampledSale = await open(system, sampledOrders)
      const sampling = await stack.sampleWork()
      await sell(child, system, sampledSale, sessions)
      const costs = costPerOrder(before, after, crowd.accepted, await sampling.stop())
      return summary(crowd, written, costs)
    } finally {
      child.disconnect()
    }
  }, withoutSchedule)
}

async function open(system: System, stock: number): Promise<OpenSale> {
  const control = controlClient({ url: system.url, token: await system.token('marketer', ['marketer']) })
  return openGoodsSale(system.url, control, { stock, quantity: 1, limitPerShopper: 1 })
}

type Sold = { crowd: CrowdResult; before: ProcessorTime; after: ProcessorTime }

async function sell(
  child: ChildProcess,
  system: System,
  sale: OpenSale,
  sessions: ShopperSession[],
): Promise<Sold> {
  const settings = { url: system.url, ...sale, sessions, connections, sampleEvery, patienceMs }
  const before = readProcessorTime()
  const crowd = await play(child, settings)
  return { crowd, before, after: readProcessorTime() }
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

/**
 * From reservation to written order, for all accepted orders.
 * @throws when an accepted order was not written in time
 */
async function writtenDelays(system: System, { saleId }: OpenSale, accepted: number): Promise<number[]> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const written = await system.orders(saleId)
    if (written.length >= accepted) return written.map((order) => order.writtenAt - order.reservedAt)
    if (Date.now() > deadline) throw new Error(`${written.length} of ${accepted} orders were written`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

function summary(crowd: CrowdResult, written: number[], costs: Costs): Measurement {
  const rate = crowd.accepted / crowd.seconds
  const allWritten = percentiles(written)
  const refused = Object.entries(crowd.refused).map(([status, count]) => `${count} × ${status}`)
  return {
    name: 'path',
    lines: [
      atLeast('accepted orders/s, whole path, load on the same machine', rate, targetPerSecond, {
        digits: 0,
      }),
      {
        what: `order readable after its 202, p99 ms (${crowd.readable.sampled} asked)`,
        value: String(crowd.readable.p99Ms),
        target: `≤ ${targetReadableMs}`,
        met: crowd.readable.p99Ms <= targetReadableMs && crowd.unseen === 0,
      },
      { what: 'order readable after its 202, p50 ms', value: String(crowd.readable.p50Ms) },
      {
        what: 'order written after its unit, p50 / p99 ms (all)',
        value: `${allWritten.p50Ms} / ${allWritten.p99Ms}`,
      },
      { what: '202 after the request, p50 / p99 ms', value: `${crowd.answer.p50Ms} / ${crowd.answer.p99Ms}` },
      exactly('every request accepted', crowd.accepted, orders, {
        value: refused.length === 0 ? `${crowd.accepted} of ${orders}` : refused.join(', '),
      }),
      ...costLines(costs),
    ],
  }
}
