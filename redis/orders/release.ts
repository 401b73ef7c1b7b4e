/** Runs release.lua, which returns the units of ended orders to the stock (S19, O9). */
import { type SaleId, type ShopperId, saleOfOrder } from '../../core/ids.ts'
import type { FinalOrder } from '../../core/orders/order.ts'
import { luaCodes } from '../../core/outcome.ts'
import { inBatches, inOneArgument } from '../batch.ts'
import type { Commander, Stocks } from '../command.ts'
import { orderSuffix, stockKeys } from '../keys.ts'
import { integer, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import { groupByShard } from '../shards.ts'
import source from './release.lua'

const releaseScript = defineScript('release', source)
const releaseCodes = { released: 1, 'unknown-sale': luaCodes['unknown-sale'] } as const

/** `orders` counts those that held units; `stockRevision` is the revision afterwards. */
export type Released = { kind: 'released'; orders: number; stockRevision: number } | { kind: 'unknown-sale' }

/**
 * Releases the units of `orders` (at most `maxOrdersPerCall`) and removes their messages. Use it only for orders that are
 * final in the table: their ids can never hold units again, even if Redis has lost them. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply, RangeError
 */
export async function release(redis: Commander, saleId: SaleId, orders: readonly FinalOrder[]): Promise<Released> {
  const { stock, outbox, packets } = stockKeys(saleId, redis.shard)
  const lines = inOneArgument(orders.map((order) => lineOf(saleId, order)))
  const [code, count, stockRevision] = await releaseScript.run(redis, [stock, outbox, packets], [lines])
  const kind = kindOf(releaseCodes, code, 'release')
  if (kind === 'unknown-sale') return { kind }
  return { kind, orders: integer(count, 'orders'), stockRevision: integer(stockRevision, 'stockRevision') }
}

/** Releases any number of orders. `stockRevision` is that of one shard. @throws RedisUnavailable, UnexpectedReply, RangeError */
export async function releaseAll(stocks: Stocks, saleId: SaleId, orders: readonly FinalOrder[]): Promise<Released> {
  let all: Released = { kind: 'unknown-sale' }
  let count = 0
  for (const [shard, some] of await groupByShard(stocks, saleId, orders)) {
    const released = await inBatches(some, (batch) => release(shard, saleId, batch))
    if (released.kind === 'unknown-sale') continue
    count += released.orders
    all = { ...released, orders: count }
  }
  return all
}

function lineOf(
  saleId: SaleId,
  { orderId, shopperId, isPacketTaken = false }: FinalOrder,
): [order: string, shopper: ShopperId, isPacketTaken: boolean] {
  if (saleOfOrder(orderId) !== saleId) throw new RangeError(`${orderId} is no order of ${saleId}`)
  return [orderSuffix(orderId), shopperId, isPacketTaken]
}
