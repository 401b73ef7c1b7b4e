/** Runs restore.lua, which restores lost orders in Redis from the table. */
import type { OrderId, SaleId, ShopperId } from '../../core/ids.ts'
import { luaCodes } from '../../core/outcome.ts'
import type { RedPacket } from '../../core/packets/packet.ts'
import { inBatches, inOneArgument } from '../batch.ts'
import type { Commander, Stocks } from '../command.ts'
import { orderSuffix, stockKeys } from '../keys.ts'
import { integer, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import { groupByShard } from '../shards.ts'
import { countersIn } from '../stock/units.ts'
import source from './restore.lua'

const restoreScript = defineScript('restore', source)
const restoreCodes = { restored: 1, 'unknown-sale': luaCodes['unknown-sale'] } as const

/**
 * An order as Redis should have it. `quantity` is 0 once its units were released. `reservedAt` is epoch ms.
 */
export type ExpectedOrder = {
  orderId: OrderId
  shopperId: ShopperId
  quantity: number
  variant?: string
  packet?: RedPacket
  reservedAt: number
}

/** `orders` counts the corrected orders. `booked` and `stockRevision` are the counters afterwards. */
export type Restored =
  | { kind: 'restored'; orders: number; booked: number; stockRevision: number }
  | { kind: 'unknown-sale' }

/**
 * Makes each of `orders` (at most `maxOrdersPerCall`) hold its units or, with a quantity of 0, permanently none. An order
 * that was released before stays released. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply; RangeError for an invalid quantity, or too many orders
 */
export async function restore(redis: Commander, saleId: SaleId, orders: readonly ExpectedOrder[]): Promise<Restored> {
  const { stock, outbox, packets, held } = stockKeys(saleId, redis.shard)
  const lines = inOneArgument(orders.map(lineOf))
  const [code, count, ...counters] = await restoreScript.run(redis, [stock, outbox, packets, held], [lines])
  const kind = kindOf(restoreCodes, code, 'restore')
  if (kind === 'unknown-sale') return { kind }
  const { booked, stockRevision } = countersIn(counters)
  return { kind, orders: integer(count, 'orders'), booked, stockRevision }
}

/** Restores any number of orders; `orders` counts the corrected ones. @throws RedisUnavailable, UnexpectedReply, RangeError */
export async function restoreAll(
  stocks: Stocks,
  saleId: SaleId,
  orders: readonly ExpectedOrder[],
): Promise<{ kind: 'restored'; orders: number } | { kind: 'unknown-sale' }> {
  let corrected = 0
  for (const [shard, some] of await groupByShard(stocks, saleId, orders)) {
    const restored = await inBatches(some, (batch) => restore(shard, saleId, batch))
    if (restored.kind === 'unknown-sale') return restored
    corrected += restored.orders
  }
  return { kind: 'restored', orders: corrected }
}

function lineOf({ orderId, shopperId, quantity, variant, packet, reservedAt }: ExpectedOrder) {
  if (!Number.isSafeInteger(quantity) || quantity < 0) throw new RangeError(`${quantity} is no quantity`)
  const which = quantity > 0 && { ...(variant && { variant }), ...(packet && { packet }) }
  return { order: orderSuffix(orderId), shopper: shopperId, units: quantity, at: reservedAt, ...which }
}
