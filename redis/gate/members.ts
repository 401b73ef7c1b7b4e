/**
 * The list of a sale for early access, for the gate: the set `gate:{<sale>}:early` of shopper ids. The
 * table keeps the list for good.
 */
import { parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { type Commander, command } from '../command.ts'
import { UnexpectedReply } from '../errors.ts'
import { earlyKey } from '../keys.ts'
import { integer, list } from '../reply.ts'

/**
 * Whether the shopper is on the list.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function isMember(redis: Commander, saleId: SaleId, shopperId: ShopperId): Promise<boolean> {
  const found = await command(redis, ['SISMEMBER', earlyKey(saleId), shopperId])
  return integer(found, 'early') === 1
}

/**
 * Adds shoppers to the list. Safe to repeat.
 * @throws RedisUnavailable
 */
export async function addMembers(
  redis: Commander,
  saleId: SaleId,
  shopperIds: readonly ShopperId[],
): Promise<void> {
  await command(redis, ['SADD', earlyKey(saleId), ...shopperIds])
}

/**
 * Removes shoppers from the list. Safe to repeat.
 * @throws RedisUnavailable
 */
export async function removeMembers(
  redis: Commander,
  saleId: SaleId,
  shopperIds: readonly ShopperId[],
): Promise<void> {
  await command(redis, ['SREM', earlyKey(saleId), ...shopperIds])
}

/**
 * How many shoppers are on the list.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function countMembers(redis: Commander, saleId: SaleId): Promise<number> {
  return integer(await command(redis, ['SCARD', earlyKey(saleId)]), 'early')
}

/**
 * All shoppers on the list.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readMembers(redis: Commander, saleId: SaleId): Promise<readonly ShopperId[]> {
  return list(await command(redis, ['SMEMBERS', earlyKey(saleId)]), 'early').map((member) => {
    const shopperId = parseShopperId(member)
    if (shopperId === undefined) throw new UnexpectedReply('a list for early access names what is no shopper')
    return shopperId
  })
}

/**
 * Removes the whole list. Safe to repeat.
 * @throws RedisUnavailable
 */
export async function removeList(redis: Commander, saleId: SaleId): Promise<void> {
  await command(redis, ['UNLINK', earlyKey(saleId)])
}
