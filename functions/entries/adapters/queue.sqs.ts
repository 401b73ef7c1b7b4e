/** Sends reservation messages to SQS. */
import type { Queue } from '../../buy/dispatch.ts'
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
