/** The stock on the shelf as it is read: how much is left, and what its hash was last told. */
import type { Redis } from '../../redis/client.ts'
import { outboxSize } from '../../redis/outbox.ts'
import { readStock } from '../../redis/stock.ts'
import type { LivePorts } from '../control/live.ts'
import type { Availability } from '../publishing/pointer.ts'

/** How much is left to reserve, as the published pointer tells it. */
export function redisAvailability(redis: Redis): Availability {
  return { of: async (saleId) => (await readStock(redis, saleId))?.available }
}

/** All facts of a stock, for the console and the scheduled repair. */
export function redisStockReader(redis: Redis): LivePorts['stockReader'] {
  return {
    read: (saleId) => readStock(redis, saleId),
    outboxSize: (saleId) => outboxSize(redis, saleId),
  }
}
