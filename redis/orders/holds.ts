/** Reads holds, the orders in the records of shoppers in Redis. reserve.lua documents their format. */
import * as z from 'zod/mini'
import { type OrderId, parseOrderId, parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { whole } from '../../core/lib/parse.ts'
import { type RedPacket, redPacket } from '../../core/packets/packet.ts'
import { isVariantId } from '../../core/sale/variants.ts'
import type { Stocks } from '../command.ts'
import { UnexpectedReply } from '../errors.ts'
import { hashPages } from '../hash-pages.ts'
import { shopperPrefix, stockKeys } from '../keys.ts'
import { jsonReply } from '../reply.ts'
import { shardsOf } from '../shards.ts'

/** The units of one order in Redis. `reservedAt` is epoch ms, 0 if unknown. */
export type Hold = { quantity: number; variant?: string; packet?: RedPacket; shopperId: ShopperId; reservedAt: number }

export type HeldOrder = Hold & { orderId: OrderId }

const unitsOfOrder = z.strictObject({
  units: whole(0, Number.MAX_SAFE_INTEGER),
  at: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
  variant: z.optional(z.custom<string>(isVariantId)),
  packet: z.optional(redPacket),
})

const shopperRecord = z.strictObject({
  orders: z.record(z.string(), unitsOfOrder),
  tries: z.optional(z.array(whole(0, Number.MAX_SAFE_INTEGER))),
})

/** Returns a shopper's orders, oldest first, unknown times last; released ones have quantity 0. @throws UnexpectedReply */
export function ordersIn(saleId: SaleId, shopperId: ShopperId, record: string): HeldOrder[] {
  const { orders } = jsonReply(shopperRecord, record, 'the record of a shopper')
  return Object.entries(orders)
    .sort(([a, { at: atA = Infinity }], [b, { at: atB = Infinity }]) => atA - atB || (a < b ? -1 : 1))
    .map(([order, { units, at = 0, variant, packet: red }]) => {
      const orderId = parseOrderId(`${saleId}-${order}`)
      if (orderId === undefined) throw new UnexpectedReply('the record of a shopper is not readable')
      return {
        orderId,
        shopperId,
        quantity: units,
        ...(variant && { variant }),
        ...(red && { packet: red }),
        reservedAt: at,
      }
    })
}

/** A page then has about 20 kB. */
const recordsPerPage = 200

/**
 * Yields every hold that exists during the whole scan, of about `count` shoppers per page. A hold may appear twice.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function* holdPages(stocks: Stocks, saleId: SaleId, count: number): AsyncGenerator<readonly HeldOrder[]> {
  for await (const page of recordPages(stocks, saleId, count)) {
    yield page.flatMap(({ orders }) => orders.filter(({ quantity }) => quantity > 0))
  }
}

/** Reads the holds of those `orderIds` with units, by scanning all records. @throws RedisUnavailable, UnexpectedReply */
export async function readHolds(
  stocks: Stocks,
  saleId: SaleId,
  orderIds: ReadonlySet<OrderId>,
): Promise<ReadonlyMap<OrderId, HeldOrder>> {
  const found = new Map<OrderId, HeldOrder>()
  for await (const page of holdPages(stocks, saleId, recordsPerPage)) {
    for (const hold of page) if (orderIds.has(hold.orderId)) found.set(hold.orderId, hold)
  }
  return found
}

/** A shopper and all of their orders, including released ones. */
type ShopperRecord = { shopperId: ShopperId; orders: readonly HeldOrder[] }

/** Yields the records of all shoppers, including those without units. @throws RedisUnavailable, UnexpectedReply */
export async function* recordPages(
  stocks: Stocks,
  saleId: SaleId,
  count: number,
): AsyncGenerator<readonly ShopperRecord[]> {
  for (const redis of await shardsOf(stocks, saleId)) {
    for await (const page of hashPages(redis, stockKeys(saleId, redis.shard).stock, count, 'stock')) {
      yield page.filter(([field]) => field.startsWith(shopperPrefix)).map((record) => readRecord(saleId, record))
    }
  }
}

function readRecord(saleId: SaleId, [field, record]: [string, string]): ShopperRecord {
  const shopperId = parseShopperId(field.slice(shopperPrefix.length))
  if (shopperId === undefined) throw new UnexpectedReply('a record names no shopper')
  return { shopperId, orders: ordersIn(saleId, shopperId, record) }
}
