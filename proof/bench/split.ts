/**
 * Measures the cost of an order in a sale with one, two and four shards, each in its own database (S14). A database
 * runs a fixed number of commands in a second, so the commands of the busiest one show how much more a split stock
 * sells. The purchase path of the functions runs in this process, with the queue and the gate in memory. The balancer
 * and the writer's removal from the outbox run at the same time; their commands and those of the shards' demands count
 * too.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FinalOrder } from '../../core/orders/order.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { StockDatabase } from '../../core/stock/database.ts'
import { shardNumberOf } from '../../core/stock/hash-slot.ts'
import { type RequestAdmission, withReport } from '../../functions/buy/dispatch-order.ts'
import { purchase, type ReservePorts } from '../../functions/buy/reserve.ts'
import { connectStock, openDatabases } from '../../functions/entries/redis.ts'
import type { StockPorts } from '../../functions/lib/shop/shop.ts'
import { createBalancer } from '../../functions/sales/balancer.ts'
import { warmAllShards } from '../../functions/sales/effects.ts'
import { findEscrow } from '../../functions/table/stock/escrows.ts'
import { startRedis } from '../../local/redis/redis-server.ts'
import { startUpstashProxy } from '../../local/upstash/proxy.ts'
import { connectRedis } from '../../redis/client.ts'
import type { Stocks } from '../../redis/command.ts'
import { acknowledgeOrders } from '../../redis/orders/outbox.ts'
import { memoryTable, tableName } from '../simulation/dynamodb/memory-table.ts'
import { benchPurchase, benchSaleId, benchShopperId, openBenchSale } from './bench-sale.ts'
import { atLeast, type Measurement, playRounds } from './harness.ts'
import { median } from './statistics.ts'
import { countCommands } from './system.ts'

const counts = [1, 2, 4]
const rounds = 3

/** Half of the stock stays, as before the end of a sale; with four shards, it takes several grants. */
const [ordersSold, stock] = [2500, 5000]

/** Concurrent requests. Each grant changes the facts of its shard, and a request in flight then takes two calls. */
const shoppersPerShard = 20

/** Interval of the balancer while no shard needs units, as in functions/sales/balance-shards.ts. */
const balanceEveryMs = 200

/** The writer removes the orders of a batch from the outbox in one call. */
const [writeEveryMs, batchSize] = [250, 100]

/** Minimum gain with four shards; a perfectly even spread would give 4. */
const targetGain = 3.8

/** `commands` per order: of all databases, and of the busiest one; `waits` counts answers with `Retry-After`. */
type Sold = { commands: number; busiest: number; transfers: number; waits: number }

export async function measureSplit(): Promise<Measurement> {
  const sold = await playRounds(counts, { rounds, warmUps: 0, step: 'split' }, sellOneSale)
  const medianOf = (count: number, what: keyof Sold) => median((sold.get(count) ?? []).map((one) => one[what]))
  const shown = (what: keyof Sold, digits: number) => counts.map((count) => medianOf(count, what).toFixed(digits))
  const gains = counts.map((count) => medianOf(1, 'busiest') / medianOf(count, 'busiest'))
  return {
    name: 'one sale, shards',
    headings: counts.map(String),
    lines: [
      atLeast('orders for each command of the busiest database, as a multiple', gains.at(-1) ?? 0, targetGain, {
        value: gains.map((gain) => gain.toFixed(2)),
        target: `${targetGain} with ${counts.at(-1)}`,
      }),
      { what: 'commands for each order, all included', value: shown('commands', 2) },
      { what: 'changes of the escrow meanwhile', value: shown('transfers', 0) },
      {
        what: 'answers that asked to retry, because the units are in another shard',
        value: shown('waits', 0),
      },
    ],
  }
}

/** Runs one sale over as many databases as it has shards. */
function sellOneSale(shards: number): Promise<Sold> {
  return withDatabases(shards, async (databases) => {
    const sale: Sale = {
      ...openBenchSale(benchSaleId('bench-split'), { stock, shards }),
      databases: databases.map(({ name }) => name),
    }
    const ports = {
      stock: stockIn(databases),
      table: { client: memoryTable().client, name: tableName },
      clock: Date.now,
    }
    await warmAllShards(ports, { sale, revision: 1, finishedStockChanges: [] })
    const revision = async () => (await findEscrow(ports.table, sale.saleId))?.revision ?? 0
    const clients = databases.map(({ url, token }) => connectRedis({ url, token, timeoutMs: 10_000 }))
    const [before, ran] = [await revision(), await Promise.all(clients.map(countCommands))]
    const { orders, waits } = await sell(ports, sale)
    const used = (await Promise.all(clients.map(countCommands))).map((count, at) => count - (ran[at] ?? 0))
    return {
      commands: used.reduce((total, count) => total + count, 0) / orders,
      busiest: Math.max(...used) / orders,
      transfers: (await revision()) - before,
      waits,
    }
  })
}

/** Sells until `ordersSold` are accepted; returns the orders, and how often shoppers had to retry. */
async function sell(ports: StockPorts & { stock: Stocks }, sale: Sale): Promise<{ orders: number; waits: number }> {
  const queued: OrderMessage[] = []
  const functions = purchasePorts(ports.stock, queued)
  const sold = { orders: 0, waits: 0 }
  const isOver = () => sold.orders >= ordersSold
  const shop = async (shoppers: Iterator<number, never>) => {
    let shopper = shoppers.next().value
    while (!isOver()) {
      const click: RequestAdmission = { saleId: sale.saleId, admission: Math.floor(Date.now() / 1000) }
      const wanted = { ...benchPurchase(sale.saleId, shopper), quantity: 1, key: 'bench' }
      const { kind } = (await withReport(functions, click, (run) => purchase(functions, { ...click, run }, wanted)))
        .reservation
      if (kind === 'reserved') {
        sold.orders += 1
        shopper = shoppers.next().value
      } else if (kind === 'unavailable') {
        sold.waits += 1
        // The shard is empty: the shopper retries after `Retry-After`.
        await sleep(1000 + 2000 * Math.random())
      } else throw new Error(`an order was answered ${kind}`)
    }
  }
  await Promise.all([
    ...shoppersByShard(sale.shards).flatMap((shoppers) =>
      Array.from({ length: shoppersPerShard }, () => shop(shoppers)),
    ),
    runBalancer(ports, sale, isOver),
    runWriter(ports.stock, sale, queued, isOver),
  ])
  return sold
}

/** Returns the shoppers of each shard. In a rush every shard has more shoppers than it can serve, so no shard is idle. */
function shoppersByShard(shards: number): Iterator<number, never>[] {
  function* shoppersOf(shard: number): Generator<number, never> {
    for (let shopper = 0; ; shopper += 1) {
      if (shardNumberOf(benchShopperId(shopper), shards) === shard) yield shopper
    }
  }
  return Array.from({ length: shards }, (_, shard) => shoppersOf(shard))
}

/** Returns the ports of `reserve`; all but the stock are in memory. */
function purchasePorts(stock: Stocks, queued: OrderMessage[]): ReservePorts {
  return {
    stock,
    queue: { send: async (message) => void queued.push(message) },
    soldOut: { publish: async () => {} },
    admissions: { complete: async () => {} },
    demand: { count: silent },
    clock: Date.now,
    meter: { count: silent },
    log,
  }
}

/** Runs the balancer of `sale`, as the tick does. */
async function runBalancer(ports: StockPorts, sale: Sale, isOver: () => boolean): Promise<void> {
  const balancer = createBalancer(ports)
  while (!isOver()) {
    const round = await balancer(sale)
    // A sale with one shard has no escrow.
    if (round === undefined) return
    if (round.isAtRest) await sleep(balanceEveryMs)
  }
}

/** Removes the orders of `queued` from the outbox, as the writer does once it has written them. */
async function runWriter(stock: Stocks, { saleId }: Sale, queued: FinalOrder[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await sleep(writeEveryMs)
    while (queued.length > 0) {
      await acknowledgeOrders(stock, saleId, queued.splice(0, batchSize))
    }
  }
}

/** Starts the databases for `work`, and always stops them. */
async function withDatabases<T>(count: number, work: (databases: readonly StockDatabase[]) => Promise<T>): Promise<T> {
  const running: { stop(): Promise<void> }[] = []
  try {
    const databases = await Promise.all(
      Array.from({ length: count }, async (_, number) => {
        const redis = await startRedis()
        running.push(redis)
        const token = randomBytes(12).toString('hex')
        const proxy = await startUpstashProxy({
          ...{ redisPort: redis.port, tokens: [{ token }], strict: false },
        })
        running.push(proxy)
        return { name: `db-${number + 1}`, url: proxy.url, token, commandsPerSecond: 10_000 }
      }),
    )
    return await work(databases)
  } finally {
    for (const one of running.toReversed()) await one.stop()
  }
}

const silent = () => {}
const log = { info: silent, warn: silent, error: silent }

/** Joins the databases as a function does; each sale is in all of them. */
function stockIn(databases: readonly StockDatabase[]) {
  const opened = openDatabases(async () => databases, 10_000, { record: silent, log })
  return connectStock(opened, async () => databases.map(({ name }) => name))
}
