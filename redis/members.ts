/**
 * The list of a sale for early access, for the gate: the set `gate:{<sale>}:early` of shopper ids. The
 * table keeps the list for good.
 */
import type { SaleId, ShopperId } from '../core/ids.ts'
import { type Commander, command } from './command.ts'
import { earlyKey } from './keys.ts'
import { integer } from './reply.ts'

/**
 * Whether the shopper is on the list.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function isMember(redis: Commander, saleId: SaleId, shopperId: ShopperId): Promise<boolean> {
  const found = await command(redis, ['SISMEMBER', earlyKey(saleId), shopperId])
  return integer(found, 'early') === 1
}
