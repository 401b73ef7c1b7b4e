/** Sends messages to SQS: of reservations and claims, and those that wake the sender of events. */
import { SendMessageCommand } from '@aws-sdk/client-sqs'
import type { Queue } from '../../buy/dispatch.ts'
import type { EventQueue } from '../../lib/shop/queues.ts'
import { jsonMessage } from './send-batch.sqs.ts'
import type { Sqs } from './sqs.ts'

/**
 * A queue whose `send` resolves once SQS holds the message, as JSON, or rejects within a second.
 */
export function sqsQueue<Message>(sqs: Sqs, queueUrl: string): Queue<Message> {
  return {
    async send(message) {
      await sqs(new SendMessageCommand({ QueueUrl: queueUrl, ...jsonMessage(message) }))
    },
  }
}

export function sqsEventQueue(sqs: Sqs, queueUrl: string): EventQueue {
  return {
    async wake(endpointId, DelaySeconds, isRepeat) {
      const MessageBody = JSON.stringify({ endpointId, isRepeat })
      await sqs(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody, DelaySeconds }))
    },
  }
}
