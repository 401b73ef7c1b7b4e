/** Sends messages to SQS: orders, whole outboxes, timers, wake-ups and dead letters. */
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import * as z from 'zod/mini'
import { slicesOf } from '../../../core/lib/slices.ts'
import type { OrderSender } from '../../buy/dispatch-order.ts'
import type { DeadLetters } from '../../lib/queue-consumer.ts'
import type { OrderQueue, Wake } from '../../lib/shop/shop.ts'
import { errorFacts, type Telemetry } from '../../lib/telemetry.ts'
import type { Deadlines, PaymentDeadline } from '../../orders/deadlines.ts'
import { maxEntries, type Sqs } from './sqs.ts'

export type OutgoingMessage = {
  MessageBody: string
  DelaySeconds?: number
  MessageAttributes?: Readonly<Record<string, { DataType: string; StringValue: string }>>
}

/** Returns the SQS entry of a message that needs only a body. */
export function jsonMessage(message: unknown): OutgoingMessage {
  return { MessageBody: JSON.stringify(message) }
}

const sent = z.object({ Failed: z.optional(z.array(z.object({ Id: z.string(), Code: z.string() }))) })

/** Sends up to `maxEntries` messages in one request. Resolves with the error of each, undefined where SQS holds it. */
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

/** Sends order messages as JSON. `send` resolves once SQS holds the message, or rejects within a second. */
export function sqsQueue(sqs: Sqs, queueUrl: string): OrderSender {
  return {
    async send(message) {
      await sqs(new SendMessageCommand({ QueueUrl: queueUrl, ...jsonMessage(message) }))
    },
  }
}

export function sqsWake(sqs: Sqs, queueUrl: string, { log }: Pick<Telemetry, 'log'>): Wake {
  return async (saleId, begins) => {
    try {
      await sqs(new SendMessageCommand({ QueueUrl: queueUrl, ...jsonMessage({ saleId, begins }) }))
    } catch (error) {
      log.warn('reconcile not woken', { saleId, ...errorFacts(error) })
    }
  }
}

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

/** The longest delay of a message in SQS. */
const maxDelaySeconds = 900

export function sqsDeadlines(sqs: Sqs, queueUrl: string): Deadlines {
  return {
    async schedule(deadlines, now) {
      for (const some of slicesOf(deadlines, maxEntries)) {
        const batch = some.map((deadline) => delayed(deadline, now))
        const failure = (await sendBatch(sqs, queueUrl, batch)).find((error) => error !== undefined)
        if (failure !== undefined) throw failure
      }
    },
  }
}

/** Delays by whole seconds, rounded up: the consumer would send an early message again. */
function delayed(deadline: PaymentDeadline, now: number): OutgoingMessage {
  const seconds = Math.ceil((deadline.at - now) / 1000)
  const DelaySeconds = Math.min(Math.max(seconds, 0), maxDelaySeconds)
  return { MessageBody: JSON.stringify(deadline), DelaySeconds }
}

/** SQS counts attributes as part of the message. */
const maxReasonLength = 256

/** Puts messages into the dead-letter queue, with the reason in the attribute `reason`, for operators. */
export function sqsDeadLetters(sqs: Sqs, deadLettersUrl: string): DeadLetters {
  return {
    async put(body, reason) {
      const StringValue = reason.slice(0, maxReasonLength)
      const MessageAttributes = { reason: { DataType: 'String', StringValue } }
      const [failure] = await sendBatch(sqs, deadLettersUrl, [{ MessageBody: body, MessageAttributes }])
      if (failure !== undefined) throw failure
    },
  }
}
