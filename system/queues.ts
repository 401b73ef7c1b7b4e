/** The queues, their dead-letter queues and event sources, for the local system and the cloud. */

import { mergedOf } from '../core/lib/fold.ts'
import { perName, recordNames } from '../core/lib/record-names.ts'
import { fullBatch } from '../functions/table/orders/order-entry.ts'
import { functions } from '../options/registry/functions.ts'
import { functionTimeoutSeconds, type WorkerFunction } from './functions.ts'

/** `deadlines` holds the delayed messages of unpaid orders. */
export const queueNames = ['orders', 'deadlines'] as const
export type QueueName = (typeof queueNames)[number]

export type Consumption = {
  consumer: WorkerFunction
  /** Maximum of messages in one invocation. */
  batchSize: number
  /** Maximum batching delay. */
  windowSeconds: number
}

/**
 * A batch fits into one transaction. Batches over ten messages need a window of at least a second
 * (https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html). Deadlines are
 * few messages of many orders each, so they need no window.
 */
export const consumptions: Record<QueueName, Consumption> = {
  orders: { consumer: 'write-orders', batchSize: fullBatch, windowSeconds: 1 },
  deadlines: { consumer: 'cancel-unpaid', batchSize: 10, windowSeconds: 0 },
}

/**
 * Visibility timeout: six times the function's timeout, plus the window
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html). One number for all queues.
 */
export const visibilitySeconds = Math.max(
  ...queueNames.map((name) => {
    const { consumer, windowSeconds } = consumptions[name]
    return 6 * functionTimeoutSeconds(consumer) + windowSeconds
  }),
)

/**
 * Receives before a message becomes a dead letter: enough to survive some minutes of an unavailable dependency; the first
 * retries are seconds apart (functions/lib/queue-consumer.ts). A message that can never succeed fails alone (O7).
 */
export const maxReceives = 10

/**
 * A dead letter keeps the age of its message, so its retention is longer than the queue's: the maximum of SQS.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html
 */
export const queueRetentionDays = 4
export const deadLetterRetentionDays = 14

/**
 * Queues whose messages only wake a function, so losing them does no harm and they have no dead-letter queue: the schedule of
 * `reconcile` inspects all sales within the minute for which `wake` keeps a message (the minimum of SQS). `wake` has the
 * minimum concurrency of an event source, which leaves the schedule one of the runs reserved for `reconcile`.
 */
export const wakingQueues = {
  wake: {
    ...{ batchSize: 10, concurrency: 2, retentionSeconds: 60 },
    visibilitySeconds: 6 * functionTimeoutSeconds('reconcile'),
  },
  ...mergedOf(functions, 'queues'),
} as const
export type WakingQueueName = keyof typeof wakingQueues
export const wakingQueueNames = recordNames(wakingQueues)

export const perWakingQueue = <T>(make: (name: WakingQueueName) => T) => perName(wakingQueueNames, make)
