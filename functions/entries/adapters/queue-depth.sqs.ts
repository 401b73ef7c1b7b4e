/** Approximate numbers of messages in queues. */

import { GetQueueAttributesCommand, type QueueAttributeName } from '@aws-sdk/client-sqs'
import * as z from 'zod/mini'
import type { QueueDepth } from '../../lib/shop/shop.ts'
import { messagesIn } from '../../repair/ports.ts'
import type { Sqs } from './sqs.ts'

const AttributeNames = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] satisfies QueueAttributeName[]

const attributes = z.object({ Attributes: z.record(z.enum(AttributeNames), z.coerce.number()) })

export const sqsQueueDepth = (sqs: Sqs, queueUrl: string) => () => depthOf(sqs, queueUrl)

/** How many messages there are in all queues of dead letters. */
export const sqsDeadLetterCount = (sqs: Sqs, urls: readonly string[]) => async () => {
  const depths = await Promise.all(urls.map((url) => depthOf(sqs, url)))
  return depths.map(messagesIn).reduce((sum, messages) => sum + messages, 0)
}

async function depthOf(sqs: Sqs, queueUrl: string): Promise<QueueDepth> {
  const answer = await sqs(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames }))
  const { Attributes } = z.parse(attributes, answer)
  return {
    visible: Attributes.ApproximateNumberOfMessages,
    inFlight: Attributes.ApproximateNumberOfMessagesNotVisible,
    delayed: Attributes.ApproximateNumberOfMessagesDelayed,
  }
}
