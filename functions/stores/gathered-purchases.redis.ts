/**
 * Decides concurrent purchases of new shoppers in one call. A Lambda environment serves one request
 * at a time, so there every purchase is asked for alone; a host that serves many saves calls.
 */
import { maxOrdersPerCall } from '../../redis/batch.ts'
import type { StockClient } from '../../redis/databases.ts'
import { type Purchase, type Reservation, reserve } from '../../redis/reserve.ts'
import { reserveNew } from '../../redis/reserve-many.ts'
import { coalesce } from '../lib/coalesce.ts'
import { gatherCommands } from './gathered.redis.ts'

/** Maximum batching delay while another call is under way. */
const maxWaitMs = 4

/** `reserve` over `redis`, with the same answers and errors. */
export function gatherPurchases(redis: StockClient): (purchase: Purchase) => Promise<Reservation> {
  const gathered = gatherCommands(redis)
  const decide = coalesce<Purchase, Reservation | undefined>({
    maxItems: maxOrdersPerCall,
    maxWaitMs,
    send: async (purchases): Promise<(Reservation | Error | undefined)[]> => {
      const [only, ...others] = purchases
      const isAlone = only !== undefined && others.length === 0
      return isAlone ? [await reserve(redis, only)] : reserveNew(redis, purchases)
    },
  })
  return async (purchase) => (await decide(purchase)) ?? reserve(gathered, purchase)
}
