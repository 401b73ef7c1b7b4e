/** Which orders have their message in the dead-letter queue. */

import type { DeadOrders } from '../../lib/shop/queues.ts'
import { unitsByOrder } from '../../repair/orders/dead-units.ts'
import { deadBodies } from './dead-bodies.sqs.ts'
import { type QueuePair, sqsRetry } from './redrive.sqs.ts'
import type { Sqs } from './sqs.ts'

/** A message that is not an order message belongs to no order. */
export function sqsDeadOrders(sqs: Sqs, pair: QueuePair): DeadOrders {
  return {
    ...sqsRetry(sqs, pair),
    async units() {
      const bodies = await deadBodies(sqs, pair)
      return bodies && unitsByOrder(bodies)
    },
  }
}
