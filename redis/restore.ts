/** Runs restore.lua: restores orders that Redis lost from the table. */
import type { OrderId, SaleId, ShopperId } from '../core/ids.ts'
import { luaCodes } from '../core/outcome.ts'
import { sortableTime } from '../core/sortable-time.ts'
import { inBatches, inOneArgument } from './batch.ts'
import type { Commander } from './command.ts'
import { stockKeys } from './keys.ts'
import { integer, kindOf } from './reply.ts'
import source from './restore.lua'
import { defineScript } from './script.ts'

const restoreScript = defineScript('restore', source)
export const restoreCodes = { restored: 1, 'unknown-sale': luaCodes['unknown-sale'] } as const

/**
 * An order as Redis should hold it: `quantity` is 0 once its units were released. `reservedAt` is
 * epoch ms.
 */
export type RightfulOrder = { orderId: OrderId; shopperId: ShopperId; quantity: number; reservedAt: number }

/**
 * `orders` counts those that were corrected; `booked` and `stockRevision` are the counters
 * afterwards.
 */
export type Restored =
  | { kind: 'restored'; orders: number; booked: number; stockRevision: number }
  | { kind: 'unknown-sale' }

/**
 * Makes each of `orders` (at most `maxOrdersPerCall`) hold its units or, with a quantity of 0, none
 * for ever. An order whose units were released before stays without. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply; RangeError for an invalid quantity, or too many orders
 */
export async function restore(
  redis: Commander,
  saleId: SaleId,
  orders: readonly RightfulOrder[],
): Promise<Restored> {
  const { stock, buyers, holds, outbox } = stockKeys(saleId)
  const lines = inOneArgument(orders.map(lineOf), '\n')
  const [code, count, booked, stockRevision] = await restoreScript.run(
    redis,
    [stock, buyers, holds, outbox],
    [lines],
  )
  const kind = kindOf(restoreCodes, code, 'restore')
  if (kind === 'unknown-sale') return { kind }
  return {
    kind,
    orders: integer(count, 'orders'),
    booked: integer(booked, 'booked'),
    stockRevision: integer(stockRevision, 'stockRevision'),
  }
}

/**
 * The same for any number of orders.
 * @throws RedisUnavailable, UnexpectedReply; RangeError for an invalid quantity
 */
export function restoreAll(
  redis: Commander,
  saleId: SaleId,
  orders: readonly RightfulOrder[],
): Promise<Restored> {
  return inBatches(orders, (batch) => restore(redis, saleId, batch))
}

function lineOf({ orderId, shopperId, quantity, reservedAt }: RightfulOrder): string {
  if (!Number.isSafeInteger(quantity) || quantity < 0) throw new RangeError(`${quantity} is no quantity`)
  return `${orderId} ${quantity} ${shopperId} ${sortableTime(reservedAt)}`
}
