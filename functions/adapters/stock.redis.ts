/** The stock and its outbox in Redis, as `reserve` needs them. */

import type { OrderId, SaleId } from '../../core/ids.ts'
import type { Redis } from '../../redis/client.ts'
import { acknowledge } from '../../redis/outbox.ts'
import { reserve } from '../../redis/reserve.ts'
import type { Outbox, Stock } from '../reserve/reserve.ts'
import { coalesce } from './coalesce.ts'

/** One HDEL takes this many ids at most, so that no single command holds Redis up. */
const maxAcknowledged = 100
const maxWaitMs = 4

export function redisStock(redis: Redis): Stock {
  return { take: (claim) => reserve(redis, claim) }
}

/** An outbox that acknowledges what was sent together with one HDEL per sale. */
export function redisOutbox(redis: Redis): Outbox {
  const bySale = new Map<SaleId, (orderId: OrderId) => Promise<void>>()
  const acknowledgeOf = (saleId: SaleId) =>
    coalesce<OrderId>({
      maxItems: maxAcknowledged,
      maxWaitMs,
      send: async (orderIds) => {
        await acknowledge(redis, saleId, orderIds)
        return []
      },
    })
  return {
    acknowledge(saleId, orderId) {
      const known = bySale.get(saleId) ?? acknowledgeOf(saleId)
      bySale.set(saleId, known)
      return known(orderId)
    },
  }
}
