/** All reservations of a sale as Redis holds them, page by page. */
import { type OrderId, parseOrderId, type SaleId } from '../core/ids.ts'
import { type Commander, command } from './command.ts'
import { UnexpectedReply } from './errors.ts'
import { hashPages } from './hash-pages.ts'
import { stockKeys } from './keys.ts'
import { integer } from './reply.ts'
import { type Hold, parseHold } from './stock.ts'

/** A hold and the order it is for. */
export type HeldOrder = Hold & { orderId: OrderId }

/**
 * Every hold that exists during the whole scan, about `count` in a page; one may appear twice.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function* holdPages(
  redis: Commander,
  saleId: SaleId,
  count: number,
): AsyncGenerator<readonly HeldOrder[]> {
  const { holds } = stockKeys(saleId)
  for await (const page of hashPages(redis, holds, count, 'holds')) yield page.map(readHeld)
}

/**
 * How many orders hold units.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function countHolds(redis: Commander, saleId: SaleId): Promise<number> {
  return integer(await command(redis, ['HLEN', stockKeys(saleId).holds]), 'holds')
}

function readHeld([id, stored]: [string, string]): HeldOrder {
  const orderId = parseOrderId(id)
  if (orderId === undefined) throw new UnexpectedReply('a hold has no order id')
  return { orderId, ...parseHold(stored) }
}
