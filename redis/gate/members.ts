/** The invited shoppers of a sale: the set `gate:{<sale>}:invited`, a copy of the table's list. */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { listMember } from '../../core/sale/invited.ts'
import { type Command, type Commander, command } from '../command.ts'
import { invitedKey } from '../keys.ts'
import { integer, list, text } from '../reply.ts'

/**
 * True when the shopper is on the list, for any variant or for `variant`.
 * @throws RedisUnavailable
 */
export async function isMember(
  redis: Commander,
  saleId: SaleId,
  shopperId: ShopperId,
  variant?: string,
): Promise<boolean> {
  const asked: Command = variant
    ? ['SMISMEMBER', invitedKey(saleId), shopperId, listMember(shopperId, variant)]
    : ['SISMEMBER', invitedKey(saleId), shopperId]
  return [await command(redis, asked)].flat().includes(1)
}

/**
 * Adds members to the list. Safe to repeat.
 * @throws RedisUnavailable
 */
export async function addMembers(redis: Commander, saleId: SaleId, members: readonly string[]): Promise<void> {
  await command(redis, ['SADD', invitedKey(saleId), ...members])
}

/**
 * Removes members from the list. Safe to repeat.
 * @throws RedisUnavailable
 */
export async function removeMembers(redis: Commander, saleId: SaleId, members: readonly string[]): Promise<void> {
  await command(redis, ['SREM', invitedKey(saleId), ...members])
}

/**
 * Counts the members of the list.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function countMembers(redis: Commander, saleId: SaleId): Promise<number> {
  return integer(await command(redis, ['SCARD', invitedKey(saleId)]), 'invited')
}

/**
 * Reads all members of the list.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readMembers(redis: Commander, saleId: SaleId): Promise<readonly string[]> {
  return list(await command(redis, ['SMEMBERS', invitedKey(saleId)]), 'invited').map((one) => text(one, 'invited'))
}

/**
 * Removes the whole list. Safe to repeat.
 * @throws RedisUnavailable
 */
export async function removeList(redis: Commander, saleId: SaleId): Promise<void> {
  await command(redis, ['UNLINK', invitedKey(saleId)])
}
