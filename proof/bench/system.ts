/**
 * A client of a running local system, for measurements: sign-in, faults, schedules and databases. All addresses come
 * from `/local/health`, so it works with any local system.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { localSession, localToken } from '../../cli/control-client.ts'
import { parseSaleId, type SaleId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import type { Table } from '../../functions/lib/shop/shop.ts'
import { orderParts } from '../../functions/table/keys.ts'
import { readOrderItem } from '../../functions/table/orders/order-item.ts'
import { partPages } from '../../functions/table/partitions.ts'
import { readPlacements } from '../../functions/table/sale/sales.ts'
import { findEscrow } from '../../functions/table/stock/escrows.ts'
import type { EdgeTimes } from '../../local/cdn/edge-times.ts'
import type { Fault } from '../../local/faults/faults.ts'
import type { DatabaseControls } from '../../local/redis/databases.ts'
import { connectRedis } from '../../redis/client.ts'
import { type Commander, command } from '../../redis/command.ts'
import { joinDatabases } from '../../redis/databases.ts'
import { text } from '../../redis/reply.ts'
import type { PacketsInRedis } from '../invariants/snapshot.ts'
import { readPacketSnapshot } from '../packets-in-redis.ts'
import { packetsInTable, partsOfPackets } from '../packets-in-table.ts'
import { readCounts, type StockCounts, withPool } from '../stock-counts.ts'

/**
 * Redis commands so far, including those inside scripts; invocations by function; and the time of the functions at the
 * edge.
 */
export type Counters = {
  redisCommands: number
  invocations: Record<string, number>
  edge: EdgeTimes
}

export type System = Awaited<ReturnType<typeof openSystem>>

const functionTime = z.object({ calls: z.number(), timed: z.number(), us: z.number() })

const health = z.object({
  ok: z.boolean(),
  parts: z.object({
    redis: z.object({ databases: z.array(z.object({ name: z.string(), restUrl: z.string(), restToken: z.string() })) }),
    dynamodb: z.object({ endpoint: z.string(), tables: z.array(z.string()) }),
    functions: z.object({ invocations: z.record(z.string(), z.number()) }),
    front: z.object({ edge: z.object({ preGate: functionTime, gate: functionTime }) }),
  }),
})

const healthTries = 5

/**
 * Connects to the local system at `url`; `controls` can kill its databases.
 * @throws when it is not running, or not a local one
 */
export async function openSystem(url: string, controls?: Pick<DatabaseControls, 'kill'>) {
  /** The command count of each killed database at that time. */
  const ended = new Map<string, number>()
  const readHealth = () => healthOf(url, ended.size > 0)
  const {
    redis: { databases },
    dynamodb,
  } = (await readHealth()).parts
  const clients = databases.map(({ restUrl: url, restToken: token }) => connectRedis({ url, token, timeoutMs: 10_000 }))
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: dynamodb.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  )
  const [TableName] = dynamodb.tables
  if (TableName === undefined) throw new Error('the system shows no table')
  const table: Table = { client, name: TableName }
  const named = async (name: string) => clients[databases.findIndex((database) => database.name === name)]
  const stocks = joinDatabases({ all: async () => clients, named }, async (saleId) => {
    const names = (await readPlacements(table, saleId)) ?? []
    return names.length === 0 ? databases.slice(0, 1).map(({ name }) => name) : names
  })
  const post = (path: string, body: unknown) =>
    getJson(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify(body),
    })

  return {
    url,
    table,
    token: (shopperId: string, roles?: string[]) => localToken(url, shopperId, roles),
    /** Returns a token with a pass. */
    signIn: (shopperId: string) => localSession(url, shopperId),
    setFault: (fault: Fault) => post('/local/faults', fault),
    /**
     * Runs `reconcile` with a tick of `tickMs` again and again until `end`, as for a sale that starts soon. `end` waits
     * for the current run.
     */
    startTicking: (tickMs: number) => {
      let isEnding = false
      const ticking = (async () => {
        while (!isEnding) await post('/local/schedules/reconcile', { tickMs })
      })()
      // `end` rethrows it; without this handler Node would exit first.
      ticking.catch(() => undefined)
      return {
        end: async () => {
          isEnding = true
          await ticking
        },
      }
    },
    /** Runs `reconcile` now, for messages of any age. */
    reconcile: () => post('/local/schedules/reconcile', { minAgeMs: 0 }),
    counters: async (): Promise<Counters> => {
      const counts = await Promise.all(
        clients.map((redis, at) => ended.get(databases[at]?.name ?? '') ?? countCommands(redis)),
      )
      const { functions, front } = (await readHealth()).parts
      const redisCommands = counts.reduce((total, count) => total + count, 0)
      return { redisCommands, invocations: functions.invocations, edge: front.edge }
    },
    /** Kills a database for good. @throws unless the system was started by this process */
    killDatabase: async (name: string) => {
      const redis = await named(name)
      if (controls === undefined || redis === undefined) throw new Error(`cannot end the database ${name}`)
      ended.set(name, await countCommands(redis))
      await controls.kill(name)
    },
    stockSnapshot: async (saleId: string): Promise<StockCounts> => {
      const id = idOf(saleId)
      const counts = await readCounts(stocks, id)
      if (counts === undefined) throw new Error(`Redis has no data of ${saleId}`)
      const escrow = await findEscrow(table, id)
      return withPool(counts, escrow?.pool)
    },
    packetSnapshot: async (saleId: string): Promise<PacketsInRedis> => {
      const found = await readPacketSnapshot(stocks, idOf(saleId))
      if (found === undefined) throw new Error(`Redis has no data of ${saleId}`)
      return found
    },
    /** Reads the red packets of a sale from the table, with the orders. */
    money: (saleId: string) => readMoney(table, idOf(saleId)),
    orders: (saleId: string) => readOrdersOf(table, idOf(saleId)),
    /** Deletes all data of Redis (stock and gate), like a restart without persistence. */
    loseRedis: async () => {
      for (const redis of clients) await command(redis, ['FLUSHALL'])
    },
    close: () => client.destroy(),
  }
}

async function readMoney(table: Table, saleId: SaleId) {
  const owned: { number: number; orderId: string }[] = []
  for await (const page of partPages(table, partsOfPackets(saleId), {})) {
    owned.push(...page.map(({ sk, orderId }) => ({ number: Number(sk), orderId: String(orderId) })))
  }
  const orders = await readOrdersOf(table, saleId)
  const money = await packetsInTable({ table, orders: () => orders, packets: () => owned }, { saleId })
  if (money === undefined) throw new Error(`the table has no cap of ${saleId}`)
  return { money, orders }
}

async function readOrdersOf(table: Table, saleId: SaleId): Promise<Order[]> {
  const found: Order[] = []
  for await (const page of partPages(table, orderParts(saleId), {})) found.push(...page.map(readOrderItem))
  return found
}

/**
 * Reads the health, with retries: each part has five seconds to answer, which a busy machine may miss. A system that
 * has lost a database is never healthy again, so its 503 is accepted.
 */
async function healthOf(url: string, isLossKnown: boolean): Promise<z.infer<typeof health>> {
  for (let tries = 1; ; tries += 1) {
    try {
      const response = await fetch(`${url}/local/health`)
      if (!response.ok && !isLossKnown) throw new Error(`${url} is not healthy: ${response.status}`)
      return health.parse(await response.json())
    } catch (error) {
      if (tries === healthTries) throw error
      await sleep(1000)
    }
  }
}

function idOf(saleId: string): SaleId {
  const id = parseSaleId(saleId)
  if (id === undefined) throw new Error(`${saleId} is not a sale id`)
  return id
}

/** Commands of clients that only connect or read statistics. */
const ignoredCommands = /^(?:info|config|ping|client|hello|auth|select|script)/

/** Returns the number of commands that the server has run, including those inside scripts, from its statistics. */
export async function countCommands(redis: Commander): Promise<number> {
  const stats = text(await command(redis, ['INFO', 'commandstats']), 'statistics')
  const counts = [...stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)]
  return counts.reduce((total, [, name = '', calls]) => total + (ignoredCommands.test(name) ? 0 : Number(calls)), 0)
}

async function getJson(url: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(url, init)
  const body = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${body.slice(0, 200)}`)
  return body === '' ? undefined : JSON.parse(body)
}
