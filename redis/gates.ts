/** The gate's facts of many sales, for a comparison with the table. */
import type { SaleId } from '../core/ids.ts'
import type { RedisClient } from './client.ts'
import { wrapError } from './errors.ts'
import { factsIn, type GateFacts, readOf } from './gate.ts'
import { sendTogether } from './together.ts'

/**
 * The facts of many sales, in the order of `saleIds`, in one request; undefined for a sale that is
 * not published.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readGates(
  redis: RedisClient,
  saleIds: readonly SaleId[],
): Promise<readonly (GateFacts | undefined)[]> {
  if (saleIds.length === 0) return []
  const replies = await sendTogether(redis, saleIds.map(readOf)).catch((error: unknown) => {
    throw wrapError('HMGET', error)
  })
  return replies.map((reply) => {
    if (reply instanceof Error) throw wrapError('HMGET', reply)
    return factsIn(reply)
  })
}
