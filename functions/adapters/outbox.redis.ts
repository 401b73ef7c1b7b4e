/** The outbox as `reconcile` walks it. */
import type { Redis } from '../../redis/client.ts'
import { acknowledge, pendingMessages } from '../../redis/outbox.ts'
import type { Outbox } from '../reconcile/relay.ts'

/** About this many messages in one reply: some 30 kB. */
const pageSize = 100

export function redisOutboxWalk(redis: Redis): Outbox {
  return {
    async *pages(saleId) {
      let cursor: string | undefined = '0'
      while (cursor !== undefined) {
        const page = await pendingMessages(redis, saleId, { cursor, count: pageSize })
        yield page.messages
        cursor = page.cursor
      }
    },
    acknowledge: (saleId, orderIds) => acknowledge(redis, saleId, orderIds),
  }
}
