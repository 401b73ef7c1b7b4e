/** Which claims have their message in the dead-letter queue. */
import { claimsIn } from '../../../core/packets/claim.ts'
import type { DeadClaims } from '../../lib/shop/queues.ts'
import { deadBodies } from './dead-bodies.sqs.ts'
import { type QueuePair, sqsRetry } from './redrive.sqs.ts'
import type { Sqs } from './sqs.ts'

export function sqsDeadClaims(sqs: Sqs, pair: QueuePair): DeadClaims {
  return {
    ...sqsRetry(sqs, pair),
    async claims() {
      const bodies = await deadBodies(sqs, pair)
      return bodies && claimsIn(bodies)
    },
  }
}
