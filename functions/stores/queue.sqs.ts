/** Messages of promises to SQS, as many in one request as wait at the same time. */
import type { SQSClient } from '@aws-sdk/client-sqs'
import type { Queue } from '../buy/dispatch.ts'
import { coalesce } from '../lib/coalesce.ts'
import { jsonMessage, maxEntries, sendBatch } from './sqs.ts'

/** Longest wait for company while another batch is on its way. */
const maxWaitMs = 4

/** A queue whose `send` resolves once SQS holds the message, as JSON, and rejects within a second otherwise. */
export function sqsQueue<Message>(sqs: SQSClient, queueUrl: string): Queue<Message> {
  return {
    send: coalesce({
      maxItems: maxEntries,
      maxWaitMs,
      send: (messages: readonly Message[]) => sendBatch(sqs, queueUrl, messages.map(jsonMessage)),
    }),
  }
}
