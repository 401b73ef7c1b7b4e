/** The stores of a sale's state, connected once per process by a handler. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RedisClient } from '../../redis/client.ts'
import type { Stocks } from '../../redis/command.ts'
import type { Shopfront, Table } from '../lib/shop/shop.ts'
import type { LatencyRecorder, Telemetry } from '../lib/telemetry.ts'
import { connectDynamoDb } from '../table/dynamodb.ts'
import { readPlacements } from '../table/sale/sales.ts'
import { type SecretAccess, secretList } from './adapters/stock-list.secretsmanager.ts'
import { connectGate, connectStock, type GateAddress, openDatabases, type StockDatabases } from './redis.ts'

/** `stock` is the exact Redis store in its `databases`, `gate` the store that the edge reads. */
export type Stores = { table: Table; databases: StockDatabases; stock: Stocks; gate: RedisClient }

type StockEnvironment = SecretAccess & { TABLE_NAME: string }
type Meters = LatencyRecorder & Pick<Telemetry, 'log'>

/** Connects the stores. `timeoutMs` limits each Redis call. */
export function connectStores(env: StockEnvironment & GateAddress, timeoutMs: number, meters: Meters): Stores {
  return { ...connectTableAndStock(env, timeoutMs, meters), gate: connectGate(env, timeoutMs, meters) }
}

/** Connects functions that never notify the gate. */
export function connectTableAndStock(env: StockEnvironment, timeoutMs: number, meters: Meters): Omit<Stores, 'gate'> {
  const table = { client: connectDynamoDb(), name: env.TABLE_NAME }
  const databases = openDatabases(secretList(env), timeoutMs, meters)
  return { table, databases, stock: connectStock(databases, (saleId) => readPlacements(table, saleId)) }
}

/** Returns the ports for ending orders: the table, and everything that learns of released units. */
export function releasePorts({ table, stock, gate }: Stores, shopfront: Shopfront, telemetry: Telemetry) {
  return {
    table,
    stock,
    gate,
    shopfront,
    clock: Date.now,
    sleep: (milliseconds: number) => sleep(milliseconds),
    ...telemetry,
  }
}
