/** Which claims have their message in the dead-letter queue. */
import type { SQSClient } from '@aws-sdk/client-sqs'
import { claimsIn } from '../repair/dead-claims.ts'
import type { DeadClaims } from '../repair/ports.ts'
import { deadBodies } from './dead-bodies.sqs.ts'
import { type QueuePair, sqsRetry } from './redrive.sqs.ts'

export function sqsDeadClaims(sqs: SQSClient, pair: QueuePair): DeadClaims {
  return {
    ...sqsRetry(sqs, pair),
    async claims() {
      const bodies = await deadBodies(sqs, pair)
      return bodies && claimsIn(bodies)
    },
  }
}
