/**
 * What an order costs one sale with one, two and four shards, each in a database of its own (S14): a database runs a fixed
 * number of commands in a second, so the commands of the busiest one say how much more a split stock sells. The purchase
 * path of the functions runs in this process, with the queue and the gate in memory. The balancer runs beside as the tick
 * does, and the writer's removal from the outbox; their commands and those of the shards' demands count as well.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FinalOrder } from '../../core/orders/order.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { StockDatabase } from '../../core/stock/database.ts'
import { homeShard } from '../../core/stock/hash-slot.ts'
import { type RequestAdmission, withReport } from '../../functions/buy/dispatch-order.ts'
import { purchase, type ReservePorts } from '../../functions/buy/reserve.ts'
import { connectStock, openDatabases } from '../../functions/entries/redis.ts'
import type { StockPorts } from '../../functions/lib/shop/shop.ts'
import { createBalancer } from '../../functions/sales/balancer.ts'
import { warmWhole } from '../../functions/sales/effects.ts'
import { findEscrow } from '../../functions/table/stock/escrows.ts'
import { startRedis } from '../../local/redis/redis-server.ts'
import { startUpstashProxy } from '../../local/upstash/proxy.ts'
import { connectRedis } from '../../redis/client.ts'
import type { Stocks } from '../../redis/command.ts'
import { acknowledgeOrders } from '../../redis/orders/outbox.ts'
import { memoryTable, tableName } from '../simulation/dynamodb/memory-table.ts'
import { atLeast, inTurns, type Measurement } from './harness.ts'
import { benchPurchase, benchSale, benchShopper, openSale } from './open-window.ts'
import { median } from './statistics.ts'
import { countCommands } from './system.ts'

const counts = [1, 2, 4]
const rounds = 3

/** The others stay, as before the end of a sale; with the most shards, half of the stock needs several grants. */
const [ordersSold, stock] = [2500, 5000]

/** Requests at once. Each grant changes the facts of its shard, and a request that is under way then takes two calls. */
const shoppersPerShard = 20

/** Between two looks of the balancer at shards that need nothing, as in functions/sales/balance-shards.ts. */
const balanceEveryMs = 200

/** The writer removes the orders of a batch from the outbox together. */
const [writeEveryMs, batchSize] = [250, 100]

/** Part of the gain that an even spread would bring. */
const targetGain = 3.8

/** `commands` for each order: of all databases, and of the busiest one; `waits` are answers that asked to retry. */
type Sold = { commands: number; busiest: number; transfers: number; waits: number }

export async function measureSplit(): Promise<Measurement> {
  const sold = await inTurns(counts, { rounds, warmUps: 0, step: 'split' }, sellOneSale)
  const medianOf = (count: number, what: keyof Sold) => median((sold.get(count) ?? []).map((one) => one[what]))
  const shown = (what: keyof Sold, digits: number) => counts.map((count) => medianOf(count, what).toFixed(digits))
  const gains = counts.map((count) => medianOf(1, 'busiest') / medianOf(count, 'busiest'))
  return {
    name: 'one sale, shards',
    heads: counts.map(String),
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

/** One sale over as many databases as it has shards. */
function sellOneSale(shards: number): Promise<Sold> {
  return withDatabases(shards, async (databases) => {
    const sale: Sale = {
      ...openSale(benchSale('bench-split'), { stock, shards }),
      databases: databases.map(({ name }) => name),
    }
    const ports = {
      stock: stockIn(databases),
      table: { client: memoryTable().client, name: tableName },
      clock: Date.now,
    }
    await warmWhole(ports, { sale, revision: 1, finishedStockChanges: [] })
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

/** The orders accepted, and how often shoppers had to retry. */
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
        // The shard is empty: the shopper comes again, as Retry-After says.
        await sleep(1000 + 2000 * Math.random())
      } else throw new Error(`an order was answered ${kind}`)
    }
  }
  await Promise.all([
    ...crowdsOf(sale.shards).flatMap((shoppers) => Array.from({ length: shoppersPerShard }, () => shop(shoppers))),
    keepBalancing(ports, sale, isOver),
    keepWriting(ports.stock, sale, queued, isOver),
  ])
  return sold
}

/**
 * The shoppers of each shard. In a rush many more of them wait at every shard than it can serve, so
 * none is idle because others are busy.
 */
function crowdsOf(shards: number): Iterator<number, never>[] {
  function* homeIn(shard: number): Generator<number, never> {
    for (let shopper = 0; ; shopper += 1) {
      if (homeShard(benchShopper(shopper), shards) === shard) yield shopper
    }
  }
  return Array.from({ length: shards }, (_, shard) => homeIn(shard))
}

/** The ports of the function that takes orders; what is not the stock is in memory. */
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

/** The balancer of `sale`, as the tick runs it. */
async function keepBalancing(ports: StockPorts, sale: Sale, isOver: () => boolean): Promise<void> {
  const balancer = createBalancer(ports)
  while (!isOver()) {
    const round = await balancer(sale)
    // A sale with one shard has no escrow.
    if (round === undefined) return
    if (round.isAtRest) await sleep(balanceEveryMs)
  }
}

/** Removes the orders of `queued` from the outbox, as the writer does once it has written them. */
async function keepWriting(
  stock: Stocks,
  { saleId }: Sale,
  queued: FinalOrder[],
  isOver: () => boolean,
): Promise<void> {
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

/** The databases as a function joins them, each sale being in all of them. */
function stockIn(databases: readonly StockDatabase[]) {
  const opened = openDatabases(async () => databases, 10_000, { record: silent, log })
  return connectStock(opened, async () => databases.map(({ name }) => name))
}
