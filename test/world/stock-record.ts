/** The stock of a sale, as a test reads it from Redis. */
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { Commander, Stocks } from '../../redis/command.ts'
import { shopperPrefix, stockKeys } from '../../redis/keys.ts'
import { type Hold, holdPages } from '../../redis/orders/holds.ts'
import { pairs } from '../../redis/reply.ts'
import { readStock, type StockFacts } from '../../redis/stock/stock.ts'
import { raw, saleIdOf } from '../redis/support.ts'

/** The sale of `definition()`. */
export const phone: SaleId = saleIdOf('phone')

/** The stock of a sale in Redis: its counters and definition, and the holds of orders. */
export type StockRecord = StockFacts & {
  /** The sale as the stock has it. */
  sale: Pick<StockFacts, 'flag' | 'version' | 'epoch' | 'startToken' | 'startsAt' | 'endsAt'>
  holds: ReadonlyMap<OrderId, Hold>
  /** The records of shoppers by their fields. */
  buyers: ReadonlyMap<string, string>
  /** The number of the last stock change. */
  change: number
}

/** `stocks` reaches every shard of a stock that is split; `redis` has all of them. */
export async function readStockRecord(
  redis: Commander,
  stocks: Stocks,
  saleId: SaleId,
): Promise<StockRecord | undefined> {
  const facts = await readStock(stocks, saleId)
  if (facts === undefined) return undefined
  const holds = new Map<OrderId, Hold>()
  for await (const page of holdPages(stocks, saleId, 1000)) {
    for (const { orderId, ...hold } of page) holds.set(orderId, hold)
  }
  const keys = stockKeys(saleId)
  const fields = pairs(await raw(redis, 'HGETALL', keys.stock), 'stock').toSorted()
  const buyers = new Map(fields.filter(([field]) => field.startsWith(shopperPrefix)))
  const { flag, version, epoch, startToken, startsAt, endsAt } = facts
  const sale = { flag, version, epoch, startToken, startsAt, endsAt }
  const change = Number(await raw(redis, 'HGET', keys.stock, 'change'))
  return { ...facts, sale, holds, buyers, change }
}
