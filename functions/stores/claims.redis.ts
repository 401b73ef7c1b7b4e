/** Red packets and the outbox of their claims in Redis, as `claim` needs them. */
import type { ShopperId } from '../../core/ids.ts'
import { claim } from '../../redis/claim.ts'
import { acknowledgeClaims } from '../../redis/claims.ts'
import type { RedisClient } from '../../redis/client.ts'
import type { Packets } from '../buy/claim.ts'
import type { Outbox } from '../buy/dispatch.ts'
import { gatherCommands } from './gathered.redis.ts'

/** Both ports over one client, because their commands may share a request. */
export function redisPacketsAndOutbox(redis: RedisClient): { packets: Packets; outbox: Outbox<ShopperId> } {
  const commander = gatherCommands(redis)
  return {
    packets: { take: (tap) => claim(commander, tap) },
    outbox: { acknowledge: (saleId, shopperId) => acknowledgeClaims(commander, saleId, [shopperId]) },
  }
}
