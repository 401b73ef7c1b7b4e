/**
 * The Redis stores of a function's environment: the databases of the stock as one client, and the
 * gate's, which may be one of them. Every call is timed.
 */

import type { SaleId } from '../../core/ids.ts'
import { setBounded } from '../../core/lib/bounded-map.ts'
import type { StockDatabase } from '../../core/stock/database.ts'
import { placedForMs } from '../../core/stock/placement.ts'
import { connectRedis, type RedisClient } from '../../redis/client.ts'
import type { Stocks } from '../../redis/command.ts'
import { joinDatabases, type Locate } from '../../redis/databases.ts'
import type { Watch } from '../lib/telemetry.ts'

/** The names of a sale's databases, one for each shard; undefined for a sale that is not there. */
export type Placements = (saleId: SaleId) => Promise<readonly string[] | undefined>

export type StockAddress = { STOCK_DATABASES: readonly StockDatabase[] }
export type GateAddress = { GATE_REDIS_REST_URL: string; GATE_REDIS_REST_TOKEN: string }

/**
 * The exact store of holds and stock. A call that takes longer than `timeoutMs` is rejected.
 * `placements` is asked once for each sale, and only where there are several databases.
 */
export function connectStock(
  { STOCK_DATABASES }: StockAddress,
  timeoutMs: number,
  watch: Watch,
  placements: Placements,
): Stocks {
  const took = (milliseconds: number) => watch.took('RedisLatency', milliseconds)
  const clients = STOCK_DATABASES.map(({ url, token }) => connectRedis({ url, token, timeoutMs }, took))
  const [only, ...others] = clients
  if (only !== undefined && others.length === 0) return only
  return joinDatabases(clients, locateBy(STOCK_DATABASES, placements))
}

/** Connects to each database of the stock by its name; undefined for a name that is not listed. */
export function connectDatabases(
  { STOCK_DATABASES }: StockAddress,
  timeoutMs: number,
  watch: Watch,
): (name: string) => RedisClient | undefined {
  const took = (milliseconds: number) => watch.took('RedisLatency', milliseconds)
  const clients = new Map(
    STOCK_DATABASES.map(({ name, url, token }) => [name, connectRedis({ url, token, timeoutMs }, took)]),
  )
  return (name) => clients.get(name)
}

/** The gate's store. A call that takes longer than `timeoutMs` is rejected. */
export function connectGate(env: GateAddress, timeoutMs: number, watch: Watch): RedisClient {
  const address = { url: env.GATE_REDIS_REST_URL, token: env.GATE_REDIS_REST_TOKEN, timeoutMs }
  return connectRedis(address, (milliseconds) => watch.took('GateRedisLatency', milliseconds))
}

/** Sales whose databases are remembered. */
const maxSales = 1000

/** A sale names a database that the environment does not list. */
class UnknownDatabase extends Error {
  override name = 'UnknownDatabase'
}

/**
 * Finds a sale's databases by their names. A stock of one shard stays where it was placed, so that
 * is remembered; one that was placed before there was a list is in the first. A shard of a split
 * stock moves when its database is lost for good (functions/repair/stock/move-shards.ts).
 */
function locateBy(databases: readonly StockDatabase[], placements: Placements): Locate {
  const remembered = new Map<SaleId, Placed>()

  function numberOf(name: string): number {
    const at = databases.findIndex((database) => database.name === name)
    if (at === -1) throw new UnknownDatabase(`there is no database ${name}`)
    return at
  }

  async function look(saleId: SaleId): Promise<readonly number[]> {
    const askedAt = performance.now()
    const names = (await placements(saleId)) ?? []
    if (names.length === 0) return [0]
    const numbers = names.map(numberOf)
    const until = names.length === 1 ? Number.POSITIVE_INFINITY : askedAt + placedForMs
    setBounded(remembered, saleId, { numbers, until }, maxSales)
    return numbers
  }

  return async (saleId) => {
    const known = remembered.get(saleId)
    return known !== undefined && performance.now() < known.until ? known.numbers : look(saleId)
  }
}

/** The number of the database of each shard; `until` is a time of the process's clock. */
type Placed = { numbers: readonly number[]; until: number }
