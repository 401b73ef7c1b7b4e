/** The outbox of a sale as its messages are sent again from it. */
import type { OrderId } from '../../core/ids.ts'
import { maxOrdersPerCall } from '../../redis/batch.ts'
import type { Commander } from '../../redis/command.ts'
import { acknowledge, claimDue, outboxSize, pendingMessages } from '../../redis/outbox.ts'
import type { Outbox } from '../upkeep/ports.ts'

/** About this many messages in one reply: some 30 kB. */
const pageSize = 100

export function redisOutbox(redis: Commander): Outbox {
  return {
    async *pages(saleId) {
      let cursor: string | undefined = '0'
      while (cursor !== undefined) {
        const page = await pendingMessages(redis, saleId, { cursor, count: pageSize })
        yield page.messages
        cursor = page.cursor
      }
    },
    async claimDue(saleId, orderIds, now, minAgeMs) {
      const claimed = new Map<OrderId, number>()
      for (let from = 0; from < orderIds.length; from += maxOrdersPerCall) {
        const page = orderIds.slice(from, from + maxOrdersPerCall)
        const counts = await claimDue(redis, saleId, page, now, minAgeMs)
        for (const [orderId, sends] of counts) claimed.set(orderId, sends)
      }
      return claimed
    },
    acknowledge: (saleId, orderIds) => acknowledge(redis, saleId, orderIds),
    size: (saleId) => outboxSize(redis, saleId),
  }
}
