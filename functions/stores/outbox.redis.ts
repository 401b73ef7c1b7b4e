/** The outbox of a sale, for resending its messages. */
import type { OrderId } from '../../core/ids.ts'
import { maxOrdersPerCall } from '../../redis/batch.ts'
import type { Commander } from '../../redis/command.ts'
import { acknowledge, claimDue, outboxPages, outboxSize } from '../../redis/outbox.ts'
import { slicesOf } from '../lib/slices.ts'
import type { Outbox } from '../repair/ports.ts'

/** Messages per reply: some 30 kB. */
const pageSize = 100

export function redisOutbox(redis: Commander): Outbox {
  return {
    pages: (saleId) => outboxPages(redis, saleId, pageSize),
    async claimDue(saleId, orderIds, now, minAgeMs) {
      const claimed = new Map<OrderId, number>()
      for (const some of slicesOf(orderIds, maxOrdersPerCall)) {
        const counts = await claimDue(redis, saleId, some, now, minAgeMs)
        for (const [orderId, sends] of counts) claimed.set(orderId, sends)
      }
      return claimed
    },
    acknowledge: (saleId, orderIds) => acknowledge(redis, saleId, orderIds),
    size: (saleId) => outboxSize(redis, saleId),
  }
}
