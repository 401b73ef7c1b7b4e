/** Connects the Redis stores of a function: the databases of the stock as one client, and the gate's. Times every call. */
import type { SaleId } from '../../core/ids.ts'
import { setBounded } from '../../core/lib/bounded-map.ts'
import { maxListAgeMs, type StockDatabase } from '../../core/stock/database.ts'
import { placementCacheMs } from '../../core/stock/placement.ts'
import { connectRedis, type RedisClient } from '../../redis/client.ts'
import type { SplitStocks } from '../../redis/command.ts'
import { joinDatabases, type Locate } from '../../redis/databases.ts'
import { errorFacts, type LatencyRecorder, type Telemetry } from '../lib/telemetry.ts'

/** Reads the list in its order; rejects when it cannot. */
export type ReadDatabaseList = () => Promise<readonly StockDatabase[]>

type ListedDatabase = StockDatabase & { client: RedisClient }

export type StockDatabases = {
  /** Returns at least one database, in the order of the list. Rejects until the list was read once. */
  list(): Promise<readonly ListedDatabase[]>
  /** Returns undefined for a name that is not listed even after a new read of the secret. */
  named(name: string): Promise<RedisClient | undefined>
}

/** The shortest time between two reads for a name that is not listed, ms. */
const minRereadMs = 1000

/**
 * Returns the databases of the stock as their secret lists them. Reads the list with the first command, and again when it
 * is in use and five minutes old, so it changes without a deployment. A process keeps the list while the secret cannot be
 * read; before its first read it reaches no database. `timeoutMs` limits each call of a database.
 */
export function openDatabases(
  read: ReadDatabaseList,
  timeoutMs: number,
  { record, log }: LatencyRecorder & Pick<Telemetry, 'log'>,
): StockDatabases {
  let listed: readonly ListedDatabase[] = []
  let triedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  /** Keeps the client, with its connections, while address and token stay the same. */
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

  /** Keeps the former list when the read fails. */
  async function refresh(): Promise<void> {
    await readList().catch((error: unknown) => log.warn('list of databases not read again', errorFacts(error)))
  }

  const age = () => performance.now() - triedAt
  const clientOf = (name: string) => listed.find((one) => one.name === name)?.client

  async function list(): Promise<readonly ListedDatabase[]> {
    if (listed.length === 0) await readList()
    else if (age() >= maxListAgeMs) void refresh()
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

/** Resolves with the names of a sale's databases, one for each shard; undefined for an unknown sale. */
export type Placements = (saleId: SaleId) => Promise<readonly string[] | undefined>

export type GateAddress = { GATE_REDIS_REST_URL: string; GATE_REDIS_REST_TOKEN: string }

export type PlacedStocks = SplitStocks & {
  /** Caches the databases of sales that `read` returns, so that no request waits for them. @throws what `read` throws */
  preload(read: () => Promise<ReadonlyMap<SaleId, readonly string[]>>): Promise<void>
}

/** Connects the exact store of holds and stock. Reads the placements of each sale once. */
export function connectStock(databases: StockDatabases, placements: Placements): PlacedStocks {
  const all = async () => (await databases.list()).map(({ client }) => client)
  const { locate, preload } = cachePlacements(databases, placements)
  return { ...joinDatabases({ all, named: databases.named }, locate), preload }
}

/** Connects the gate's store. `timeoutMs` limits each call. */
export function connectGate(env: GateAddress, timeoutMs: number, telemetry: LatencyRecorder): RedisClient {
  const address = { url: env.GATE_REDIS_REST_URL, token: env.GATE_REDIS_REST_TOKEN, timeoutMs }
  return connectRedis(address, (milliseconds) => telemetry.record('GateRedisLatency', milliseconds))
}

/** Sales whose databases are cached, at most. */
const maxSales = 10_000

/**
 * Finds the names of a sale's databases. A stock of one shard never moves, so its placement is cached for good. Without a
 * recorded placement it is in the first database. A shard of a split stock moves when its database is lost for good
 * (functions/recovery/stock/move-shards.ts).
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
    if (ageMs >= placementCacheMs) return readOnce(saleId)
    // Refresh ahead of time. If it fails, the next request that needs the names reads them.
    if (ageMs >= placementCacheMs / 2) readOnce(saleId).catch(() => undefined)
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
