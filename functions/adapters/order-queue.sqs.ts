/** Order messages to SQS, as many in one request as wait at the same time. */
import type { SQSClient } from '@aws-sdk/client-sqs'
import type { OrderMessage } from '../../core/order-message.ts'
import type { OrderQueue } from '../reserve/reserve.ts'
import { slicesOf } from '../slices.ts'
import type { OrderQueue as BulkQueue } from '../upkeep/ports.ts'
import { coalesce } from './coalesce.ts'
import { maxEntries, type OutgoingMessage, sendBatch } from './sqs.ts'

/** Longest wait for company while another batch is on its way. */
const maxWaitMs = 4

/** A queue whose `send` resolves once SQS holds the message, and rejects within a second otherwise. */
export function sqsOrderQueue(sqs: SQSClient, queueUrl: string): OrderQueue {
  return {
    send: coalesce({
      maxItems: maxEntries,
      maxWaitMs,
      send: (messages) => sendBatch(sqs, queueUrl, messages.map(outgoing)),
    }),
  }
}

/** Sends any number of messages, ten at a time; one batch that fails leaves the others their chance. */
export function sqsBulkSender(sqs: SQSClient, queueUrl: string): BulkQueue {
  return {
    async sendAll(messages) {
      const errors: (Error | undefined)[] = []
      for (const batch of slicesOf(messages, maxEntries)) {
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
