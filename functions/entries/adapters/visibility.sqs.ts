/** Changes when received messages of a queue become visible again. */
import { ChangeMessageVisibilityBatchCommand } from '@aws-sdk/client-sqs'
import { slicesOf } from '../../../core/lib/slices.ts'
import type { ConsumerPorts, Visibility } from '../../lib/queue-consumer.ts'
import { maxEntries, type Sqs } from './sqs.ts'

/**
 * Makes `messages` visible after their seconds. A message that the queue refuses becomes visible after its timeout.
 * @throws when SQS does not answer, or refuses a whole call
 */
export async function changeVisibility(sqs: Sqs, QueueUrl: string, messages: readonly Visibility[]): Promise<void> {
  const calls = slicesOf(messages, maxEntries).map((some) => {
    const Entries = some.map(({ receiptHandle, seconds }, index) => ({
      ...{ Id: String(index), ReceiptHandle: receiptHandle, VisibilityTimeout: seconds },
    }))
    return sqs(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }))
  })
  await Promise.all(calls)
}

export const sqsConsumerPorts = (sqs: Sqs, queueUrl: string): ConsumerPorts => ({
  changeVisibility: (messages) => changeVisibility(sqs, queueUrl, messages),
  random: Math.random,
})
