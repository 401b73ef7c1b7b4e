/** The stores of a sale's state, connected once per process by a handler. */
import type { RedisClient } from '../../redis/client.ts'
import type { Stocks } from '../../redis/command.ts'
import type { Watch } from '../lib/telemetry.ts'
import { connectDynamoDb, type Table } from '../table/dynamodb.ts'
import { readPlacements } from '../table/stock/placements.ts'
import { connectGate, connectStock, type GateAddress, type StockAddress } from './redis.ts'

/** `stock` is the exact Redis store, `gate` the store that the edge reads. */
export type Stores = { table: Table; stock: Stocks; gate: RedisClient }

type StockEnvironment = StockAddress & { TABLE_NAME: string }

/** A Redis call that takes longer than `timeoutMs` is rejected. */
export function connectStores(env: StockEnvironment & GateAddress, timeoutMs: number, watch: Watch): Stores {
  return { ...connectTableAndStock(env, timeoutMs, watch), gate: connectGate(env, timeoutMs, watch) }
}

/** For functions that never notify the gate. */
export function connectTableAndStock(
  env: StockEnvironment,
  timeoutMs: number,
  watch: Watch,
): Pick<Stores, 'table' | 'stock'> {
  const table = { client: connectDynamoDb(), name: env.TABLE_NAME }
  return { table, stock: connectStock(env, timeoutMs, watch, (saleId) => readPlacements(table, saleId)) }
}
