/** Sends messages to SQS: of reservations and claims, and those that wake the sender of events. */
import type { Queue } from '../../buy/dispatch.ts'
import type { EventQueue } from '../../lib/shop/queues.ts'
import { jsonMessage, sendBatch } from './send-batch.sqs.ts'
import type { Sqs } from './sqs.ts'

/**
 * A queue whose `send` resolves once SQS holds the message, as JSON, or rejects within a second.
 */
export function sqsQueue<Message>(sqs: Sqs, queueUrl: string): Queue<Message> {
  return {
    async send(message) {
      const [error] = await sendBatch(sqs, queueUrl, [jsonMessage(message)])
      if (error !== undefined) throw error
    },
  }
}

export function sqsEventQueue(sqs: Sqs, queueUrl: string): EventQueue {
  return {
    async wake(endpointId, DelaySeconds, isRepeat) {
      const MessageBody = JSON.stringify({ endpointId, isRepeat })
      const [failure] = await sendBatch(sqs, queueUrl, [{ MessageBody, DelaySeconds }])
      if (failure !== undefined) throw failure
    },
  }
}
