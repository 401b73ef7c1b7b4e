/**
 * The open files of the local system under steady load. Almost all are connections of pools: each function has its own for the
 * table and for each service. SOAK_SECONDS=1800 keeps it up for half an hour.
 */
import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startStack } from '../../local/stack.ts'
import { call, openSale, payOnPage, placeOrder } from '../journey/support.ts'
import { processesBelow } from './npm-start.ts'

const seconds = Number(process.env.SOAK_SECONDS ?? 40)

/** Shoppers who buy one after the other, and the calls of one service that a request has under way at most. */
const [atOnce, callsOfRequest] = [4, 2]

/** Functions of each process that this load calls: of shoppers, and of queues, streams and schedules. */
const called = { functions: 6, workers: 7 }

/**
 * Open files before the first request: listening sockets, pipes to the parent, files of Node, and connections of the
 * first `reconcile`.
 */
const ofStart = 100

/** Connections of one function to one service. */
const pool = atOnce * callsOfRequest

const toTable = (called.functions + called.workers) * pool
const bounds = {
  // To the table, Redis and the services; each function of shoppers is itself called as often as there are shoppers.
  functions: ofStart + called.functions * (2 * pool + atOnce),
  workers: ofStart + called.workers * 2 * pool,
  // The other end of each and the proxy's own connection to the service, whose other end is here but for the table.
  cloud: ofStart + 2 * toTable + 3 * (called.functions + called.workers) * pool,
  table: ofStart + toTable,
}
type Counts = typeof bounds

/** The fault proxy closes connections after twenty seconds without use. */
const idleSeconds = 30

function openFiles(): Counts {
  const below = processesBelow(process.pid).filter(({ command }) => !command.startsWith('/bin/sh'))
  const count = (program: string) => {
    const pid = below.find(({ command }) => command.includes(program))?.pid
    return readdirSync(`/proc/${pid}/fd`).length
  }
  const [functions, workers, cloud] = [count('functions-host'), count('workers-host'), count('cloud-host')]
  return { functions, workers, cloud, table: count('dynoxide') }
}

const names = Object.keys(bounds) as (keyof Counts)[]
const most = (samples: readonly Counts[]) =>
  Object.fromEntries(names.map((name) => [name, Math.max(...samples.map((counts) => counts[name]))]))

it('keeps its open files below what its pools need, stops growing, and closes them once it is idle', {
  timeout: 1000 * (seconds + 300),
}, async () => {
  const stack = await startStack({ log: () => {} })
  try {
    const atStart = openFiles()
    for (const name of names) expect(atStart[name], `${name} at the start`).toBeLessThanOrEqual(ofStart)
    const { saleId, startToken } = await openSale(stack, { stock: 1_000_000 })
    const ends = Date.now() + seconds * 1000
    let sold = 0
    const buyUntilTheEnd = async (shopper: number) => {
      for (let n = 0; Date.now() < ends; n += 1) {
        const { orderId, token } = await placeOrder(stack, `shopper-${shopper}-${n}`, { saleId, startToken })
        await payOnPage(stack, orderId, token)
        await call(stack, '/api/orders', { token })
        sold += 1
      }
    }
    const samples: Counts[] = []
    const watch = async () => {
      while (Date.now() < ends) {
        await pause(1000)
        samples.push(openFiles())
      }
    }
    await Promise.all([watch(), ...Array.from({ length: atOnce }, (_, shopper) => buyUntilTheEnd(shopper))])
    expect(sold).toBeGreaterThan(atOnce)
    const half = Math.ceil(samples.length / 2)
    const [first, second] = [most(samples.slice(0, half)), most(samples.slice(half))]
    const said = JSON.stringify({ sold, atStart, first, second, bounds })
    for (const name of names) {
      expect(first[name], `${name} ${said}`).toBeLessThanOrEqual(bounds[name])
      // One function more may be busy in the second half: `reconcile` runs once a minute.
      expect(second[name], `${name} grows: ${said}`).toBeLessThanOrEqual(Number(first[name]) + 2 * pool)
    }
    await pause(idleSeconds * 1000)
    const idle = openFiles()
    for (const name of names) expect(idle[name], `${name} is idle: ${said}`).toBeLessThanOrEqual(ofStart)
  } finally {
    await stack.stop()
  }
})
