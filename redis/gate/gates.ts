/** The gate's facts of many sales, for a comparison with the table. */
import type { SaleId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { wrapError } from '../errors.ts'
import type { Pipelined } from '../pipeline.ts'
import { factsIn, type GateFacts, readOf } from './gate.ts'

/** How many sales are read in one request. */
const salesPerRead = 200

/**
 * The facts of many sales; those that the gate does not know are missing.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readGates(redis: Pipelined, saleIds: readonly SaleId[]): Promise<ReadonlyMap<SaleId, GateFacts>> {
  const found = new Map<SaleId, GateFacts>()
  for (const some of slicesOf(saleIds, salesPerRead)) {
    const replies = await redis.pipeline(some.map(readOf)).catch((error: unknown) => {
      throw wrapError('HMGET', error)
    })
    for (const [at, saleId] of some.entries()) {
      const reply = replies[at]
      if (reply instanceof Error) throw wrapError('HMGET', reply)
      const facts = factsIn(reply)
      if (facts !== undefined) found.set(saleId, facts)
    }
  }
  return found
}
