/**
 * The shards of a sale's stock. A function with a Commander works on one shard. A function with Stocks works on the whole
 * stock: on every shard, or on the shard of a shopper.
 */

import type { SaleId, ShopperId } from '../core/ids.ts'
import { shardNumberOf } from '../core/stock/hash-slot.ts'
import type { Command, Commander, SplitStocks, Stocks } from './command.ts'

const known = new WeakMap<SplitStocks, { only: Commander; parts: Commander[] }>()

/** Returns all shards of the sale's stock, in their order. */
export async function shardsOf(stocks: Stocks, saleId: SaleId): Promise<readonly Commander[]> {
  if (stocks.shardCount === undefined) return [stocks]
  const count = await stocks.shardCount(saleId)
  return Array.from({ length: count }, (_, shard) => shardAt(stocks, shard, count))
}

/** Returns the same object for a shard on every call, because callers use it as a key. An only shard has no number. */
function shardAt(stocks: SplitStocks, shard: number, count: number): Commander {
  const exec = (command: Command) => stocks.exec(command)
  const views = known.get(stocks) ?? { only: { exec }, parts: [] }
  known.set(stocks, views)
  if (count === 1) return views.only
  views.parts[shard] ??= { exec, shard }
  return views.parts[shard]
}

export async function onlyShard(stocks: Stocks, saleId: SaleId): Promise<Commander> {
  const [first, ...others] = await shardsOf(stocks, saleId)
  if (first === undefined || others.length > 0) throw new RangeError(`the stock of ${saleId} is split`)
  return first
}

/** True when the sale's stock has more than one shard. */
export async function isSplit(stocks: Stocks, saleId: SaleId): Promise<boolean> {
  return stocks.shardCount !== undefined && (await stocks.shardCount(saleId)) > 1
}

/** Returns the shard that has all orders of the shopper. */
export async function shardOf(stocks: Stocks, saleId: SaleId, shopperId: ShopperId): Promise<Commander> {
  if (stocks.shardCount === undefined) return stocks
  const count = await stocks.shardCount(saleId)
  return shardAt(stocks, shardNumberOf(shopperId, count), count)
}

export async function groupByShard<Item extends { shopperId: ShopperId }>(
  stocks: Stocks,
  saleId: SaleId,
  items: readonly Item[],
): Promise<ReadonlyMap<Commander, readonly Item[]>> {
  if (stocks.shardCount === undefined) return new Map([[stocks, items]])
  const count = await stocks.shardCount(saleId)
  return Map.groupBy(items, ({ shopperId }) => shardAt(stocks, shardNumberOf(shopperId, count), count))
}
