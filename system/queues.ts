/**
 * The queues, each with its dead letters behind it, and how their messages are handed to the function that takes them.
 * One machine and the cloud have the same numbers.
 */

import { fullBatch } from '../functions/orders/order-entry.ts'
import { fullGroup } from '../functions/packets/credit.ts'
import { functionTimeoutSeconds, type WorkerFunction } from './functions.ts'

/** `deadlines` holds the delayed messages of unpaid orders. */
export const queueNames = ['orders', 'claims', 'deadlines'] as const
export type QueueName = (typeof queueNames)[number]

export type Consumption = {
  consumer: WorkerFunction
  /** Messages in one invocation at most. */
  batchSize: number
  /** How long a batch is waited for to fill. */
  windowSeconds: number
}

/**
 * A batch is what one transaction holds. Batches over ten messages need a window, of a second at least
 * (https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html). Deadlines are few messages, each of
 * many orders: they are taken as they come.
 */
export const consumptions: Record<QueueName, Consumption> = {
  orders: { consumer: 'write-orders', batchSize: fullBatch, windowSeconds: 1 },
  claims: { consumer: 'credit-wallets', batchSize: fullGroup, windowSeconds: 1 },
  deadlines: { consumer: 'cancel-unpaid', batchSize: 10, windowSeconds: 0 },
}

/**
 * How long a received message stays hidden: six times the function's timeout, and the window
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html). One number for all queues.
 */
export const visibilitySeconds = Math.max(
  ...queueNames.map((name) => {
    const { consumer, windowSeconds } = consumptions[name]
    return 6 * functionTimeoutSeconds(consumer) + windowSeconds
  }),
)

/**
 * So many tries before a message is a dead letter. A part of the system that is unavailable for minutes must not fill the
 * dead letters with good orders; a message that can never succeed fails alone and disturbs nobody meanwhile (O7).
 */
export const maxReceives = 10

/**
 * A dead letter is as old as its message, so the dead letters keep longer than the queue, the longest that SQS offers.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html
 */
export const queueRetentionDays = 4
export const deadLetterRetentionDays = 14
