/**
 * A dedicated Redis for each test file, and the sales and purchases of its tests. Strict: a key that a script did not
 * declare is refused, as in the cloud. The REST client is a subject of client.test.ts; elsewhere it would only cost time.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { type OrderId, parseOrderId, parseSaleId, parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { type Sale, saleDefinition, stockOfVariants } from '../../core/sale/sale.ts'
import { loopback } from '../../local/ports.ts'
import { type RunningRedis, startRedis } from '../../local/redis/redis-server.ts'
import { startUpstashProxy } from '../../local/upstash/proxy.ts'
import { connectTo, type DirectClient } from '../../proof/direct-redis.ts'
import type { ReserveRequest } from '../../redis/buy/reserve.ts'
import { connectRedis, type RedisClient } from '../../redis/client.ts'
import type { Commander, Stocks } from '../../redis/command.ts'
import { stockKeys } from '../../redis/keys.ts'
import { outboxPages, type PendingMessage } from '../../redis/orders/outbox.ts'
import { pairs } from '../../redis/reply.ts'
import { warmStock } from '../../redis/stock/warm.ts'

export type RedisRig = { redis: RedisClient; url: string; token: string; redisPort: number; stop(): Promise<void> }

export async function startRedisRig(): Promise<RedisRig> {
  const server = await startRedis()
  const token = randomBytes(12).toString('hex')
  const proxy = await startUpstashProxy({ redisPort: server.port, tokens: [{ token }], strict: true })
  return {
    redis: connectRedis({ url: proxy.url, token, timeoutMs: 10_000 }),
    url: proxy.url,
    token,
    redisPort: server.port,
    async stop() {
      await proxy.stop()
      await server.stop()
    },
  }
}

/** One connection without the REST proxy: for models that send thousands of commands. */
export const connectDirectly = ({ port, path }: { port: number; path?: string }): DirectClient =>
  connectTo({ host: loopback, port, ...(path !== undefined && { path }) }, { strict: true })

/** A Redis for the tests of one file, reached over one connection without the REST proxy. */
export function useRedisRig(): { redis: Commander; redisPort: number } {
  let server: RunningRedis | undefined
  let redis: DirectClient | undefined
  beforeAll(async () => {
    server = await startRedis()
    redis = connectDirectly(server)
  })
  afterAll(async () => {
    redis?.stop()
    await server?.stop()
  })
  return {
    redis: { exec: (command) => running(redis).exec(command) },
    get redisPort() {
      return running(server).port
    },
  }
}

/** Returns the client behind the REST proxy. */
export function useRestRig(): Omit<RedisRig, 'stop'> {
  let rig: RedisRig | undefined
  beforeAll(async () => {
    rig = await startRedisRig()
  })
  afterAll(() => rig?.stop())
  return {
    get redis() {
      return running(rig).redis
    },
    get url() {
      return running(rig).url
    },
    get token() {
      return running(rig).token
    },
    get redisPort() {
      return running(rig).redisPort
    },
  }
}

function running<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('a rig runs while its tests run, not before')
  return part
}

/** Sends a raw command, bypassing the wrappers. */
export function raw(redis: Commander, ...args: [string, ...string[]]): Promise<unknown> {
  return redis.exec(args)
}

/** How often Redis ran each command since the last reset, scripts' own calls included. */
export async function commandCounts(redis: Commander): Promise<Map<string, number>> {
  const info = String(await raw(redis, 'INFO', 'commandstats'))
  const lines = info.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)
  return new Map([...lines].map(([, name, calls]) => [String(name), Number(calls)]))
}

/** Both hashes of a sale, field by field: Redis may list the fields of one hash in another order each time. */
export function everythingOf(redis: Commander, saleId: SaleId): Promise<Map<string, string>[]> {
  const { stock, outbox } = stockKeys(saleId)
  return Promise.all([stock, outbox].map(async (key) => new Map(pairs(await raw(redis, 'HGETALL', key), key))))
}

let salesMade = 0

/** All that waits in the outbox of a sale, read about `count` at a time. */
export async function waitingIn(redis: Stocks, saleId: SaleId, count = 100): Promise<PendingMessage[]> {
  const found: PendingMessage[] = []
  for await (const page of outboxPages(redis, saleId, count)) found.push(...page)
  return found
}

/** The fields of test sales that have no default, without id and times. */
export const aPhone = {
  kind: 'goods',
  title: 'A phone',
  description: 'One of ten.',
  pictures: [{ src: '/assets/phone.svg', alt: 'The product' }],
  price: 10,
  currency: 'CNY',
  stock: 10,
  limitPerShopper: 2,
  maxPerOrder: 2,
}

/**
 * A sale used by one test: open from 1,000 to 9,000 on the test's own clock, ten units, two per shopper. Every other setting
 * has its default.
 */
export function aSale(changes: Partial<Sale> = {}): Sale {
  salesMade += 1
  const definition = saleDefinition.parse({
    ...aPhone,
    ...{ saleId: `sale-${salesMade}`, startsAt: 1_000, endsAt: 9_000 },
  })
  const state = {
    ...{ windowIndex: 0, flag: 'on' as const, epoch: 1, startToken: tokenOf(1), version: 1 },
    ...{ warmed: true, databases: ['main'], createdAt: 0, updatedAt: 0 },
  }
  return { ...definition, ...state, ...changes }
}

/** Returns a sale with variants of these ids and stocks. */
export function aSaleOfVariants(stocks: Readonly<Record<string, number>>, changes: Partial<Sale> = {}): Sale {
  const variants = Object.entries(stocks).map(([id, stock]) => ({ id, name: `Size ${id}`, stock }))
  return aSale({ stock: stockOfVariants(variants), variants, ...changes })
}

/** A sale whose stock is warmed. */
export async function aWarmSale(redis: Commander, changes: Partial<Sale> = {}): Promise<Sale> {
  const sale = aSale(changes)
  await warmStock(redis, sale)
  return sale
}

/** A purchase on `sale` by shopper `shopper`, their order number `order`, at 5,000 with the sale's own token. */
export function aPurchase(
  sale: Sale,
  shopper: number,
  order = 1,
  changes: Partial<ReserveRequest> = {},
): ReserveRequest {
  return {
    orderId: orderIdOf(sale.saleId, shopper, order),
    saleId: sale.saleId,
    shopperId: shopperIdOf(shopper),
    quantity: 1,
    startToken: sale.startToken ?? '',
    now: 5_000,
    requestId: `request-${shopper}`,
    ...changes,
  }
}

/** The start token of epoch `epoch` in these tests. */
export function tokenOf(epoch: number): string {
  return `token-of-epoch-${epoch}`.padEnd(43, '_')
}

export function shopperIdOf(shopper: number): ShopperId {
  return must(parseShopperId(`shopper-${shopper}`))
}

export function orderIdOf(saleId: SaleId, shopper: number, order: number): OrderId {
  const letters = [...`${shopper}.${order}`].map((c) => (c === '.' ? 'z' : 'abcdefghij'[Number(c)])).join('')
  return must(parseOrderId(`${saleId}-${letters.padStart(26, 'q')}`))
}

export function shopperNamed(text: string): ShopperId {
  return must(parseShopperId(text))
}

export function saleIdOf(name: string): SaleId {
  return must(parseSaleId(name))
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a test asked for an invalid id')
  return value
}

/** A recovery that knows of every order. */
export const nothingHeldBack = { units: 0, since: 0 }
