/** All reservations of a sale as Redis holds them, page by page. */
import { type OrderId, parseOrderId, type SaleId } from '../core/ids.ts'
import { type Commander, command } from './command.ts'
import { UnexpectedReply } from './errors.ts'
import { stockKeys } from './keys.ts'
import { integer, list, pairs, text } from './reply.ts'
import { type Hold, parseHold } from './stock.ts'

export type HeldOrder = Hold & { orderId: OrderId }

/**
 * Every hold that is there from the beginning of the walk to its end, about `count` in a page, because one reply may
 * not exceed the size that the service allows; one may be seen twice.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function* holdPages(
  redis: Commander,
  saleId: SaleId,
  count: number,
): AsyncGenerator<readonly HeldOrder[]> {
  const { holds } = stockKeys(saleId)
  let cursor = '0'
  do {
    const [next, page] = list(await command(redis, ['HSCAN', holds, cursor, 'COUNT', String(count)]), 'holds')
    yield pairs(page, 'holds').map(readHeld)
    cursor = text(next, 'cursor')
  } while (cursor !== '0')
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
