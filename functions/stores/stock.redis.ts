/** The stock and its outbox in Redis, as `reserve` needs them. */
import type { OrderId } from '../../core/ids.ts'
import type { RedisClient } from '../../redis/client.ts'
import { acknowledge } from '../../redis/outbox.ts'
import { reserve } from '../../redis/reserve.ts'
import type { Outbox } from '../buy/dispatch.ts'
import type { Stock } from '../buy/reserve.ts'
import { gatherCommands } from './gathered.redis.ts'

/** Both ports over one client, because their commands may share a request. */
export function redisStockAndOutbox(redis: RedisClient): { stock: Stock; outbox: Outbox<OrderId> } {
  const commander = gatherCommands(redis)
  return {
    stock: { take: (purchase) => reserve(commander, purchase) },
    outbox: { acknowledge: (saleId, orderId) => acknowledge(commander, saleId, [orderId]) },
  }
}
