/** How much is left to reserve, as the published pointer tells it. */
import type { Redis } from '../../redis/client.ts'
import { readStock } from '../../redis/stock.ts'
import type { Availability } from '../publishing/pointer.ts'

export function redisAvailability(redis: Redis): Availability {
  return { of: async (saleId) => (await readStock(redis, saleId))?.available }
}
