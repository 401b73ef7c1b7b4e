/** Unpaid timers as delayed messages of SQS. */

import { slicesOf } from '../../../core/lib/slices.ts'
import type { PaymentDeadline } from '../../../core/orders/payment-timer-message.ts'
import type { Deadlines } from '../../orders/deadlines.ts'
import { type OutgoingMessage, sendBatch } from './send-batch.sqs.ts'
import { maxEntries, type Sqs } from './sqs.ts'

/** The longest SQS delays a message. */
const maxDelaySeconds = 900

export function sqsDeadlines(sqs: Sqs, queueUrl: string): Deadlines {
  return {
    async schedule(deadlines, now) {
      for (const some of slicesOf(deadlines, maxEntries)) {
        const batch = some.map((deadline) => delayed(deadline, now))
        const failure = (await sendBatch(sqs, queueUrl, batch)).find((error) => error !== undefined)
        if (failure !== undefined) throw failure
      }
    },
  }
}

/** In whole seconds, rounded up: an early message would be sent once more. */
function delayed(deadline: PaymentDeadline, now: number): OutgoingMessage {
  const seconds = Math.ceil((deadline.at - now) / 1000)
  const DelaySeconds = Math.min(Math.max(seconds, 0), maxDelaySeconds)
  return { MessageBody: JSON.stringify(deadline), DelaySeconds }
}
