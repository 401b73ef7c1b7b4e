/**
 * Processor time of the deployed bundle of `reserve` for an order, in a process with nothing else: it answers events of a
 * function URL one at a time, as on Lambda. In turns with it a handler of the least that an order needs, two requests by
 * Node's client and a line of the log.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dist } from '../../build.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { warmWhole } from '../../functions/sales/effects.ts'
import { connectRedis } from '../../redis/client.ts'
import { gateFactsOf, setGate } from '../../redis/gate/gate.ts'
import { memoryTable, tableName } from '../simulation/dynamodb/memory-table.ts'
import { withClickServices } from './click-services.ts'
import { atMost, inTurns, type Measurement } from './harness.ts'
import { openSale, stockIn, withLimitedDatabases } from './limited-databases.ts'
import { read } from './read.ts'
import { type InvokedClicks, invoked } from './reserve/invoked.ts'
import { median } from './statistics.ts'

const rounds = 20

/** A process is young for its first 3,000 orders (path.ts). */
const warmUps = 30
const ordersOfARound = 100

const targetUs = 400

/** More than a round sends. */
const commandsPerSecond = 1_000_000

const invokerFile = fileURLToPath(new URL('./reserve/invoke.ts', import.meta.url))

const handlers = [
  { name: 'reserve', file: join(dist, 'functions/reserve/handler.mjs') },
  { name: 'two requests', file: fileURLToPath(new URL('./reserve/two-requests.ts', import.meta.url)) },
] as const

export async function measureReserve(): Promise<Measurement> {
  return withLimitedDatabases({ count: 1, commandsPerSecond }, async (databases) => {
    const [gate] = databases
    if (gate === undefined) throw new Error('there is no database')
    const sale: Sale = {
      ...openSale('reserve-alone', { stock: 1_000_000 }),
      databases: [gate.name],
    }
    const stock = stockIn(databases, () => [gate.name])
    const ports = { stock, table: { client: memoryTable().client, name: tableName }, clock: Date.now }
    await warmWhole(ports, { sale, revision: 1, finishedStockChanges: [] })
    await setGate(connectRedis({ ...gate, timeoutMs: 10_000 }), gateFactsOf(sale, { frozen: false }))
    return withClickServices({ databases, gate }, async (environment, keep) => {
      const invokers = handlers.map((handler) => keep(startInvoker(handler.file, sale, environment)))
      const played = await inTurns(invokers, { rounds, warmUps, step: 'reserve' }, (invoker) =>
        invoker.invoke(ordersOfARound),
      )
      const us = invokers.map((invoker) => (played.get(invoker) ?? []).map((one) => one.us))
      const [ours = [], least = []] = us
      return {
        name: 'reserve',
        lines: [
          {
            what: 'processor time of `reserve` ÷ that of the two requests that it needs',
            value: median(ours.map((one, round) => one / (least[round] ?? Number.NaN))).toFixed(2),
          },
          atMost('processor time of `reserve` for an order, µs', median(ours), targetUs, { digits: 0 }),
          { what: 'the same of its two requests and a line of the log, µs', value: median(least).toFixed(0) },
        ],
      }
    })
  })
}

type Invoker = { invoke(orders: number): Promise<InvokedClicks>; stop(): Promise<void> }

/** A process that calls the handler in `file` for new shoppers. */
function startInvoker(file: string, sale: Sale, environment: Record<string, string>): Invoker {
  const nowhere = openSync(devNull, 'w')
  const child = fork(invokerFile, [file, sale.saleId, sale.startToken ?? ''], {
    // Nothing is inherited, so that both have the flags of Lambda.
    env: { ...environment, AWS_SESSION_TOKEN: 'token-of-a-role'.repeat(50) },
    execArgv: [],
    stdio: ['ignore', nowhere, 'inherit', 'ipc'],
  })
  return {
    async invoke(orders) {
      child.send({ orders })
      const [message] = await once(child, 'message')
      return read(invoked, message)
    },
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
