/** Order messages to SQS, as many in one request as wait at the same time. */
import type { SQSClient } from '@aws-sdk/client-sqs'
import type { OrderMessage } from '../../core/order-message.ts'
import { coalesce } from './coalesce.ts'
import { maxEntries, type OutgoingMessage, sendBatch } from './sqs.ts'

/** Longest wait for company while another batch is on its way. */
const maxWaitMs = 4

/** A queue whose `send` resolves once SQS holds the message, and rejects within a second otherwise. */
export function sqsOrderQueue(
  sqs: SQSClient,
  queueUrl: string,
): { send: (message: OrderMessage) => Promise<void> } {
  return {
    send: coalesce({
      maxItems: maxEntries,
      maxWaitMs,
      send: (messages) => sendBatch(sqs, queueUrl, messages.map(outgoing)),
    }),
  }
}

/** Sends any number of messages, ten at a time; one batch that fails leaves the others their chance. */
export function sqsBulkSender(
  sqs: SQSClient,
  queueUrl: string,
): { sendAll: (messages: readonly OrderMessage[]) => Promise<readonly (Error | undefined)[]> } {
  return {
    async sendAll(messages) {
      const errors: (Error | undefined)[] = []
      for (let at = 0; at < messages.length; at += maxEntries) {
        const batch = messages.slice(at, at + maxEntries)
        try {
          errors.push(...(await sendBatch(sqs, queueUrl, batch.map(outgoing))))
        } catch (cause) {
          errors.push(...batch.map(() => new Error('SQS did not take the batch', { cause })))
        }
      }
      return errors
    },
  }
}

function outgoing(message: OrderMessage): OutgoingMessage {
  return { MessageBody: JSON.stringify(message) }
}
