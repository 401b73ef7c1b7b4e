/** Approximate numbers of messages in queues. */
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { type Depths, messagesIn, type QueueDepth } from '../repair/ports.ts'

/** Depths of one queue, and of its dead letters; of several queues' dead letters the sum. */
export function sqsQueueDepths(
  sqs: SQSClient,
  ordersUrl: string,
  ...deadLettersUrls: readonly string[]
): Depths {
  return {
    orders: () => depthOf(sqs, ordersUrl),
    deadLetters: async () => {
      const depths = await Promise.all(deadLettersUrls.map((url) => depthOf(sqs, url)))
      return depths.map(messagesIn).reduce((sum, messages) => sum + messages, 0)
    },
  }
}

async function depthOf(sqs: SQSClient, queueUrl: string): Promise<QueueDepth> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: queueUrl,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    }),
  )
  return {
    visible: Number(Attributes.ApproximateNumberOfMessages ?? 0),
    inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
    delayed: Number(Attributes.ApproximateNumberOfMessagesDelayed ?? 0),
  }
}
