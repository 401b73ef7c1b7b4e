/** Sends as many messages to SQS as one request may contain. */
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs'
import * as z from 'zod/mini'
import type { Sqs } from './sqs.ts'

export type OutgoingMessage = {
  MessageBody: string
  DelaySeconds?: number
  MessageAttributes?: Readonly<Record<string, { DataType: string; StringValue: string }>>
}

/** The SQS entry of a message that needs only a body. */
export function jsonMessage(message: unknown): OutgoingMessage {
  return { MessageBody: JSON.stringify(message) }
}

const sent = z.object({ Failed: z.optional(z.array(z.object({ Id: z.string(), Code: z.string() }))) })

/**
 * Up to `maxEntries` messages in one request; resolves with each one's error, undefined where SQS
 * holds it.
 */
export async function sendBatch(
  sqs: Sqs,
  queueUrl: string,
  messages: readonly OutgoingMessage[],
): Promise<readonly (Error | undefined)[]> {
  const Entries = messages.map((message, index) => ({ ...message, Id: String(index) }))
  const answer = await sqs(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }))
  const { Failed = [] } = z.parse(sent, answer)
  const codes = new Map(Failed.map(({ Id, Code }) => [Id, Code]))
  return messages.map((_, index) => {
    const code = codes.get(String(index))
    return code === undefined ? undefined : new Error(`SQS refused the message: ${code}`)
  })
}
