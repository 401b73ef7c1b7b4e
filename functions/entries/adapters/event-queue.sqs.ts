/** Messages of SQS that wake the sender of events. */
import { SendMessageCommand } from '@aws-sdk/client-sqs'
import type { EventQueue } from '../../shop/queues.ts'
import type { Sqs } from './sqs.ts'

export function sqsEventQueue(sqs: Sqs, QueueUrl: string): EventQueue {
  return {
    async wake(endpointId, DelaySeconds, isRepeat) {
      const MessageBody = JSON.stringify({ endpointId, isRepeat })
      await sqs(new SendMessageCommand({ QueueUrl, MessageBody, DelaySeconds }))
    },
  }
}
