/** Order messages to SQS, as many in one request as wait at the same time. */
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs'
import type { OrderMessage } from '../../core/order-message.ts'
import { coalesce } from './coalesce.ts'

/** What one SendMessageBatch may hold. */
const maxEntries = 10

/** Longest wait for company while another batch is on its way. */
const maxWaitMs = 4

/** All that a reservation waits for its message, tries and back-off included; then the outbox has it. */
const deadlineMs = 1000

/** A queue whose `send` resolves once SQS holds the message, and rejects within a second otherwise. */
export function sqsOrderQueue(
  sqs: SQSClient,
  queueUrl: string,
): { send: (message: OrderMessage) => Promise<void> } {
  return {
    send: coalesce({
      maxItems: maxEntries,
      maxWaitMs,
      send: (messages) => sendBatch(sqs, queueUrl, messages),
    }),
  }
}

/** Up to ten messages in one request; resolves with the error of each, undefined where SQS holds it. */
async function sendBatch(
  sqs: SQSClient,
  queueUrl: string,
  messages: readonly OrderMessage[],
): Promise<readonly (Error | undefined)[]> {
  const command = new SendMessageBatchCommand({
    QueueUrl: queueUrl,
    Entries: messages.map((message, index) => ({ Id: String(index), MessageBody: JSON.stringify(message) })),
  })
  const { Failed = [] } = await sqs.send(command, { abortSignal: AbortSignal.timeout(deadlineMs) })
  const codes = new Map(Failed.map(({ Id, Code }) => [Id, Code]))
  return messages.map((_, index) => {
    const code = codes.get(String(index))
    return code === undefined ? undefined : new Error(`SQS refused the message: ${code}`)
  })
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
          errors.push(...(await sendBatch(sqs, queueUrl, batch)))
        } catch (cause) {
          errors.push(...batch.map(() => new Error('SQS did not take the batch', { cause })))
        }
      }
      return errors
    },
  }
}
