/** Makes each solved challenge valid for one purchase over all instances of the gate (R5). */
import type { SaleId } from '../../core/ids.ts'
import { type Commander, command } from '../command.ts'
import { solvedKey } from '../keys.ts'

/**
 * Records the use of a solved challenge. True when it is the first use, or a retry of it. `use` identifies the purchase;
 * `ttlMs` is how long the challenge stays valid.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function recordChallengeUse(
  redis: Commander,
  saleId: SaleId,
  challengeId: string,
  { use, ttlMs }: { use: string; ttlMs: number },
): Promise<boolean> {
  const key = solvedKey(saleId, challengeId)
  const life = String(Math.max(1, Math.ceil(ttlMs)))
  // SET NX and GET in one request: one round trip.
  const [set, found] = await Promise.all([
    command(redis, ['SET', key, use, 'NX', 'PX', life]),
    command(redis, ['GET', key]),
  ])
  return set === 'OK' || found === use
}
