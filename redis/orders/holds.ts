/**
 * Reservations as Redis holds them: the orders in the records of shoppers. reserve.lua says how they
 * are stored.
 */
import { type OrderId, parseOrderId, parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { isVariantId } from '../../core/sale/variants.ts'
import type { Stocks } from '../command.ts'
import { UnexpectedReply } from '../errors.ts'
import { hashPages } from '../hash-pages.ts'
import { stockKeys } from '../keys.ts'
import { integer } from '../reply.ts'
import { shardsOf } from '../shards.ts'

/** One reservation. `variant`: of which variant, in a sale that has some. `reservedAt` is epoch ms, 0 when it is unknown. */
export type Hold = { quantity: number; variant?: string; shopperId: ShopperId; reservedAt: number }

export type HeldOrder = Hold & { orderId: OrderId }

/**
 * The orders in a shopper's record, oldest first; released ones have a quantity of 0.
 * @throws UnexpectedReply
 */
export function ordersIn(saleId: SaleId, shopperId: ShopperId, record: string): HeldOrder[] {
  return record
    .split(' ')
    .filter((word) => !word.startsWith('@'))
    .map((word) => {
      const [, order, quantity, time, variant] = /^([^=]+)=(\d+)(?:@(\d+)(?:\/(\S+))?)?$/.exec(word) ?? []
      const orderId = parseOrderId(`${saleId}-${order}`)
      if (orderId === undefined || (variant !== undefined && !isVariantId(variant))) {
        throw new UnexpectedReply('the record of a shopper is not readable')
      }
      return {
        orderId,
        shopperId,
        quantity: integer(quantity, 'quantity'),
        ...(variant && { variant }),
        reservedAt: integer(time ?? '0', 'reservedAt'),
      }
    })
}

/** Records in a page, which then has some 20 kB. */
const recordsPerPage = 200

/**
 * Every hold that exists during the whole scan, those of about `count` shoppers in a page; one may
 * appear twice.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function* holdPages(stocks: Stocks, saleId: SaleId, count: number): AsyncGenerator<readonly HeldOrder[]> {
  for await (const page of recordPages(stocks, saleId, count)) {
    yield page.flatMap(({ orders }) => orders.filter(({ quantity }) => quantity > 0))
  }
}

/**
 * Those of `orderIds` that hold units, when it is not known whose they are: this reads all records.
 * @throws RedisUnavailable, UnexpectedReply
 */
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

/** A shopper and all of their orders, released ones too. */
type ShopperRecord = { shopperId: ShopperId; orders: readonly HeldOrder[] }

/**
 * The same for the records of all shoppers, whether they hold units or not.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function* recordPages(
  stocks: Stocks,
  saleId: SaleId,
  count: number,
): AsyncGenerator<readonly ShopperRecord[]> {
  for (const redis of await shardsOf(stocks, saleId)) {
    for await (const page of hashPages(redis, stockKeys(saleId, redis.shard).stock, count, 'stock')) {
      yield page.filter(([field]) => field.startsWith('@')).map((record) => readRecord(saleId, record))
    }
  }
}

function readRecord(saleId: SaleId, [field, record]: [string, string]): ShopperRecord {
  const shopperId = parseShopperId(field.slice(1))
  if (shopperId === undefined) throw new UnexpectedReply('a record names no shopper')
  return { shopperId, orders: ordersIn(saleId, shopperId, record) }
}
