/** Messages of SQS that wake the sender of events. */
import type { EventQueue } from '../../lib/shop/queues.ts'
import { sendBatch } from './send-batch.sqs.ts'
import type { Sqs } from './sqs.ts'

export function sqsEventQueue(sqs: Sqs, queueUrl: string): EventQueue {
  return {
    async wake(endpointId, DelaySeconds, isRepeat) {
      const MessageBody = JSON.stringify({ endpointId, isRepeat })
      const [failure] = await sendBatch(sqs, queueUrl, [{ MessageBody, DelaySeconds }])
      if (failure !== undefined) throw failure
    },
  }
}
