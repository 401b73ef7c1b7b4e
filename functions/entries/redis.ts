/** The Redis stores of a function: the stock's databases as one client, and the gate's. Every call is timed. */
import type { SaleId } from '../../core/ids.ts'
import { setBounded } from '../../core/lib/bounded-map.ts'
import { listFreshMs, type StockDatabase } from '../../core/stock/database.ts'
import { placedForMs } from '../../core/stock/placement.ts'
import { connectRedis, type RedisClient } from '../../redis/client.ts'
import type { SplitStocks } from '../../redis/command.ts'
import { joinDatabases, type Locate } from '../../redis/databases.ts'
import { errorFacts, type LatencyRecorder, type Telemetry } from '../lib/telemetry.ts'

/** Reads the list, the first database first; rejects when it cannot. */
export type ReadDatabaseList = () => Promise<readonly StockDatabase[]>

type ListedDatabase = StockDatabase & { client: RedisClient }

export type StockDatabases = {
  /** As they are listed, at least one. Rejects while the list was never read. */
  list(): Promise<readonly ListedDatabase[]>
  /** Undefined for a name that the secret does not list either when it is read again. */
  named(name: string): Promise<RedisClient | undefined>
}

/** For a name that is not listed, it is read again no sooner, ms. */
const minRereadMs = 1000

/**
 * The databases of the stock as their secret lists them. The list is read with the first command, and again while it is
 * in use once it is five minutes old, so it changes without a deployment. A process that has read it once keeps it
 * while the secret cannot be read; a process that never has reaches no database. A call of a database that takes longer
 * than `timeoutMs` is rejected.
 */
export function openDatabases(
  read: ReadDatabaseList,
  timeoutMs: number,
  { record, log }: LatencyRecorder & Pick<Telemetry, 'log'>,
): StockDatabases {
  let listed: readonly ListedDatabase[] = []
  let triedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  /** The same client while address and token stay, so that its connections do. */
  function withClient(database: StockDatabase): ListedDatabase {
    const { name, url, token } = database
    const known = listed.find((one) => one.name === name && one.url === url && one.token === token)
    const client =
      known?.client ?? connectRedis({ url, token, timeoutMs }, (milliseconds) => record('RedisLatency', milliseconds))
    return { ...database, client }
  }

  function readList(): Promise<void> {
    const update = async () => {
      triedAt = performance.now()
      listed = (await read()).map(withClient)
    }
    reading ??= update().finally(() => {
      reading = undefined
    })
    return reading
  }

  /** Keeps the former list where it cannot be read. */
  async function refresh(): Promise<void> {
    await readList().catch((error: unknown) => log.warn('list of databases not read again', errorFacts(error)))
  }

  const age = () => performance.now() - triedAt
  const clientOf = (name: string) => listed.find((one) => one.name === name)?.client

  async function list(): Promise<readonly ListedDatabase[]> {
    if (listed.length === 0) await readList()
    else if (age() >= listFreshMs) void refresh()
    return listed
  }

  return {
    list,
    async named(name) {
      await list()
      if (clientOf(name) === undefined && (reading !== undefined || age() >= minRereadMs)) await refresh()
      return clientOf(name)
    },
  }
}

/** The names of a sale's databases, one for each shard; undefined for a sale that is not there. */
export type Placements = (saleId: SaleId) => Promise<readonly string[] | undefined>

export type GateAddress = { GATE_REDIS_REST_URL: string; GATE_REDIS_REST_TOKEN: string }

export type PlacedStocks = SplitStocks & {
  /** Remembers the databases of sales as `read` gives them, so that no request waits for that. @throws what `read` throws */
  preload(read: () => Promise<ReadonlyMap<SaleId, readonly string[]>>): Promise<void>
}

/** The exact store of holds and stock. `placements` is asked once for each sale. */
export function connectStock(databases: StockDatabases, placements: Placements): PlacedStocks {
  const all = async () => (await databases.list()).map(({ client }) => client)
  const { locate, preload } = cachePlacements(databases, placements)
  return { ...joinDatabases({ all, named: databases.named }, locate), preload }
}

/** The gate's store. A call that takes longer than `timeoutMs` is rejected. */
export function connectGate(env: GateAddress, timeoutMs: number, telemetry: LatencyRecorder): RedisClient {
  const address = { url: env.GATE_REDIS_REST_URL, token: env.GATE_REDIS_REST_TOKEN, timeoutMs }
  return connectRedis(address, (milliseconds) => telemetry.record('GateRedisLatency', milliseconds))
}

/** Sales whose databases are remembered. */
const maxSales = 10_000

/**
 * Finds the names of a sale's databases. A stock of one shard stays where it was placed, so that
 * is remembered; one that was placed before there was a list is in the first. A shard of a split
 * stock moves when its database is lost for good (functions/recovery/stock/move-shards.ts).
 */
function cachePlacements(databases: Pick<StockDatabases, 'list'>, placements: Placements) {
  const remembered = new Map<SaleId, Placed>()
  const reading = new Map<SaleId, Promise<readonly string[]>>()

  function remember(saleId: SaleId, names: readonly string[], readAt: number): void {
    if (names.length > 0) setBounded(remembered, saleId, { names, readAt }, maxSales)
  }

  async function read(saleId: SaleId): Promise<readonly string[]> {
    const readAt = performance.now()
    const names = (await placements(saleId)) ?? []
    remember(saleId, names, readAt)
    return names.length > 0 ? names : (await databases.list()).slice(0, 1).map(({ name }) => name)
  }

  function readOnce(saleId: SaleId): Promise<readonly string[]> {
    const pending = reading.get(saleId) ?? read(saleId).finally(() => reading.delete(saleId))
    reading.set(saleId, pending)
    return pending
  }

  const locate: Locate = async (saleId) => {
    const known = remembered.get(saleId)
    if (known === undefined) return readOnce(saleId)
    const { names, readAt } = known
    const ageMs = names.length === 1 ? 0 : performance.now() - readAt
    if (ageMs >= placedForMs) return readOnce(saleId)
    // Ahead of need. Should it fail, the request that needs it reads again.
    if (ageMs >= placedForMs / 2) readOnce(saleId).catch(() => undefined)
    return names
  }

  return {
    locate,
    async preload(readAll: () => Promise<ReadonlyMap<SaleId, readonly string[]>>) {
      const readAt = performance.now()
      const [places] = await Promise.all([readAll(), databases.list()])
      for (const [saleId, names] of places) remember(saleId, names, readAt)
    },
  }
}

/** The name of the database of each shard; `readAt` is a time of the process's clock. */
type Placed = { names: readonly string[]; readAt: number }
