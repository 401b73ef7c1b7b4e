/** Sends reservation messages to SQS, all that wait at the same time in one request. */
import type { Queue } from '../buy/dispatch.ts'
import { coalesce } from '../lib/coalesce.ts'
import { jsonMessage, sendBatch } from './send-batch.sqs.ts'
import { maxEntries, type Sqs } from './sqs.ts'

/** Maximum batching delay while another batch is under way. */
const maxWaitMs = 4

/**
 * A queue whose `send` resolves once SQS holds the message, as JSON, or rejects within a second.
 */
export function sqsQueue<Message>(sqs: Sqs, queueUrl: string): Queue<Message> {
  return {
    send: coalesce({
      maxItems: maxEntries,
      maxWaitMs,
      send: (messages: readonly Message[]) => sendBatch(sqs, queueUrl, messages.map(jsonMessage)),
    }),
  }
}
