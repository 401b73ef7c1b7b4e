/** How many messages a queue holds, about. */
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs'
import type { LivePorts, QueueDepth } from '../control/live.ts'

export function sqsQueueDepths(
  sqs: SQSClient,
  ordersUrl: string,
  deadLettersUrl: string,
): LivePorts['queues'] {
  return {
    orders: () => depthOf(sqs, ordersUrl),
    deadLetters: async () => {
      const { visible, inFlight, delayed } = await depthOf(sqs, deadLettersUrl)
      return visible + inFlight + delayed
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
