/** The SQS client, and sending as many messages as one request may hold. */
import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs'

/**
 * Few tries and short waits, because the callers have a fallback when the queue is unavailable.
 * Region, credentials and endpoint come from the environment, read by the SDK itself.
 */
export function connectSqs(): SQSClient {
  return new SQSClient({
    maxAttempts: 2,
    // TLS already detects a damaged body; hashing every message costs more than sending it.
    md5: false,
    // Without throwOnRequestTimeout the SDK would only warn and keep waiting.
    requestHandler: { connectionTimeout: 500, requestTimeout: 900, throwOnRequestTimeout: true },
  })
}

/** What one SendMessageBatch may hold. */
export const maxEntries = 10

/** Total time to send, including retries. */
const deadlineMs = 1000

export type OutgoingMessage = Omit<SendMessageBatchRequestEntry, 'Id'>

/** The SQS entry of a message that needs only a body. */
export function jsonMessage(message: unknown): OutgoingMessage {
  return { MessageBody: JSON.stringify(message) }
}

/**
 * Up to ten messages in one request; resolves with each one's error, undefined where SQS holds it.
 */
export async function sendBatch(
  sqs: SQSClient,
  queueUrl: string,
  messages: readonly OutgoingMessage[],
): Promise<readonly (Error | undefined)[]> {
  const command = new SendMessageBatchCommand({
    QueueUrl: queueUrl,
    Entries: messages.map((message, index) => ({ ...message, Id: String(index) })),
  })
  const { Failed = [] } = await sqs.send(command, { abortSignal: AbortSignal.timeout(deadlineMs) })
  const codes = new Map(Failed.map(({ Id, Code }) => [Id, Code]))
  return messages.map((_, index) => {
    const code = codes.get(String(index))
    return code === undefined ? undefined : new Error(`SQS refused the message: ${code}`)
  })
}
