/** Reads the warmed stock: how much is left, and the definition in force. */
import type { Commander } from '../../redis/command.ts'
import { readStock } from '../../redis/stock.ts'
import type { Availability } from '../sales/publishing/pointer.ts'
import type { StockReader } from '../sales/snapshots.ts'

/** How much is left to reserve, for the published pointer. */
export function redisAvailability(redis: Commander): Availability {
  return { of: (saleId) => readStock(redis, saleId) }
}

/** All facts of a stock, for the console and reconcile. */
export function redisStockReader(redis: Commander): StockReader {
  return { read: (saleId) => readStock(redis, saleId) }
}
