/** Resends order messages to SQS, a whole outbox at once. */
import { slicesOf } from '../../../core/lib/slices.ts'
import type { OrderQueue } from '../../lib/shop/queues.ts'
import { jsonMessage, sendBatch } from './send-batch.sqs.ts'
import { maxEntries, type Sqs } from './sqs.ts'

/** Sends any number of messages, ten at a time; a failed batch does not stop the others. */
export function sqsBulkSender(sqs: Sqs, queueUrl: string): Pick<OrderQueue, 'sendAll'> {
  return {
    async sendAll(messages) {
      const errors: (Error | undefined)[] = []
      for (const batch of slicesOf(messages, maxEntries)) {
        try {
          errors.push(...(await sendBatch(sqs, queueUrl, batch.map(jsonMessage))))
        } catch (cause) {
          errors.push(...batch.map(() => new Error('SQS did not take the batch', { cause })))
        }
      }
      return errors
    },
  }
}
