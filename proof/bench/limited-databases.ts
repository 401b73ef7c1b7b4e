/** Databases with a fixed number of commands in a second each, and sales that are sold over them. */
import { randomBytes } from 'node:crypto'
import { parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { type Sale, saleDefinition } from '../../core/sale/sale.ts'
import type { StockDatabase } from '../../core/stock/database.ts'
import { connectStock, openDatabases } from '../../functions/entries/redis.ts'
import { deriveOrderId } from '../../functions/lib/order-id.ts'
import { startRedis } from '../../local/redis/redis-server.ts'
import { startUpstashProxy } from '../../local/upstash/proxy.ts'
import type { Purchase } from '../../redis/buy/reserve.ts'
import { connectRedis } from '../../redis/client.ts'
import { command } from '../../redis/command.ts'
import { text } from '../../redis/reply.ts'

type Limited = { count: number; commandsPerSecond: number }

/** Starts the databases for `work`, and always stops them. */
export async function withLimitedDatabases<T>(
  { count, commandsPerSecond }: Limited,
  work: (databases: readonly StockDatabase[]) => Promise<T>,
): Promise<T> {
  const running: { stop(): Promise<void> }[] = []
  try {
    const databases = await Promise.all(
      Array.from({ length: count }, async (_, number) => {
        const redis = await startRedis({ env: { ...process.env, REDIS_URL: '' } })
        running.push(redis)
        const token = randomBytes(12).toString('hex')
        const proxy = await startUpstashProxy({
          ...{ redisHost: redis.host, redisPort: redis.port, commandsPerSecond },
          ...{ tokens: [{ token }], strict: false },
        })
        running.push(proxy)
        return { name: `db-${number + 1}`, url: proxy.url, token, commandsPerSecond }
      }),
    )
    return await work(databases)
  } finally {
    for (const one of running.toReversed()) await one.stop()
  }
}

const silent = () => {}

/** The databases as a function joins them; `placements` has the names of those of each sale. */
export function stockIn(
  databases: readonly StockDatabase[],
  placements: (saleId: SaleId) => readonly string[] | undefined,
) {
  const log = { debug: silent, info: silent, warn: silent, error: silent }
  const opened = openDatabases(async () => databases, 10_000, { took: silent, log })
  return connectStock(opened, async (saleId) => placements(saleId))
}

/**
 * The commands that the servers have run, those inside scripts included, without those of the proxy
 * and of connections.
 */
export async function commandsRun(databases: readonly StockDatabase[]): Promise<number> {
  let total = 0
  for (const { url, token } of databases) {
    const redis = connectRedis({ url, token, timeoutMs: 10_000 })
    const stats = text(await command(redis, ['INFO', 'commandstats']), 'statistics')
    const ours = /^cmdstat_(?!info|config|ping|client|hello|auth|select|script)[^:]+:calls=(\d+)/gm
    for (const [, calls] of stats.matchAll(ours)) total += Number(calls)
  }
  return total
}

const startToken = 'token-of-the-bench'.padEnd(43, '_')

/** A sale that is open, one unit for each shopper. */
export function openSale(
  saleId: string,
  change: { stock: number; shards?: number; limitPerShopper?: number; maxPerOrder?: number },
): Sale {
  const now = Date.now()
  const definition = saleDefinition.parse({
    ...{ saleId, kind: 'goods', title: 'Bench', description: 'Bench.' },
    ...{ pictures: [{ src: '/assets/bench.svg', alt: 'The product' }], price: 1, currency: 'CNY' },
    ...{ limitPerShopper: 1, maxPerOrder: 1, startsAt: now - 1000, endsAt: now + 3_600_000 },
    ...change,
  })
  return {
    ...definition,
    ...{ windowIndex: 0, flag: 'on', epoch: 1, startToken, version: 1 },
    ...{ warmed: true, databases: [], createdAt: now, updatedAt: now },
  }
}

export function shopperIdOf(shopper: number): ShopperId {
  const shopperId = parseShopperId(`shopper-${shopper}`)
  if (shopperId === undefined) throw new Error('the id of a shopper is invalid')
  return shopperId
}

/** Shopper number `shopper` wants one unit. */
export function purchaseOf({ saleId }: Sale, shopper: number): Purchase {
  const shopperId = shopperIdOf(shopper)
  const orderId = deriveOrderId(saleId, shopperId, 'bench')
  return { orderId, saleId, shopperId, quantity: 1, startToken, now: Date.now(), requestId: orderId }
}
