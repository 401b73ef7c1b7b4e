/**
 * Wraps every queue consumer: an SQS batch in, the ids of messages to redeliver out.
 *
 * SQS redelivers failed messages after the visibility timeout of the queue, a minute. A busy table recovers in less than
 * a second, so this module shortens the wait to seconds, and doubles it with each receive: the receives of a message must
 * cover minutes before it becomes a dead letter (system/queues.ts).
 */
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import type { FunctionTelemetry } from './telemetry.powertools.ts'
import { errorFacts, type Telemetry } from './telemetry.ts'

/**
 * Time for the last transaction, including one that never answers (2.5 s, `maxWriteMs`), and for the changes of
 * visibility (1 s). With a function timeout of 10 s a busy table is retried for 6 s.
 */
const marginMs = 4000

/** The longest wait after the first receive, s. It doubles with each receive; the wait is a random part of it. */
const maxFirstWaitSeconds = 2

/** The receive from which the visibility timeout of the queue applies. */
const firstSlowReceive = 6

/** A received message, and the seconds until it is visible again. */
export type Visibility = { receiptHandle: string; seconds: number }

export type ConsumerPorts = {
  /** Rejects when the queue refuses the change; then the queue's visibility timeout applies. */
  changeVisibility: (messages: readonly Visibility[]) => Promise<void>
  /** From 0 to 1. */
  random: () => number
}

/**
 * Returns a Lambda handler that passes each batch to `consume`, which starts nothing after `deadline` (epoch ms) and
 * resolves with the ids of the messages to redeliver.
 */
export function queueConsumer(
  telemetry: FunctionTelemetry,
  ports: ConsumerPorts,
  consume: (messages: readonly QueueMessage[], deadline: number) => Promise<readonly string[]>,
): (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) => Promise<SQSBatchResponse> {
  return (event, context) =>
    telemetry.during(async () => {
      const deadline = Date.now() + context.getRemainingTimeInMillis() - marginMs
      const failed = new Set(await consume(event.Records, deadline))
      const left = event.Records.filter(({ messageId }) => failed.has(messageId))
      await shortenWaits(ports, telemetry, left)
      return { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) }
    })
}

async function shortenWaits(ports: ConsumerPorts, { log }: Telemetry, left: SQSRecord[]): Promise<void> {
  const soon = left.flatMap(({ receiptHandle, attributes }) => {
    const receive = Number(attributes.ApproximateReceiveCount)
    if (receive >= firstSlowReceive) return []
    return [{ receiptHandle, seconds: Math.ceil(maxFirstWaitSeconds * 2 ** (receive - 1) * ports.random()) }]
  })
  if (soon.length === 0) return
  await ports.changeVisibility(soon).catch((error) => log.warn('messages are redelivered later', errorFacts(error)))
}

/** A message as a queue delivers it to its consumer. */
export type QueueMessage = { messageId: string; body: string }

export type DeadLetters = { put: (body: string, reason: string) => Promise<void> }

/** Dead-letters a message that can never succeed (O7). Resolves with false when it must be redelivered. */
export async function rejectToDlq(
  { deadLetters, meter, log }: { deadLetters: DeadLetters } & Telemetry,
  { messageId, body }: QueueMessage,
  reason: string,
): Promise<boolean> {
  try {
    await deadLetters.put(body, reason)
    meter.count('DeadLettered')
    log.error('message moved to the dead-letter queue', { messageId, reason })
    return true
  } catch (error) {
    log.warn('message not moved to the dead-letter queue', { messageId, why: reason, ...errorFacts(error) })
    return false
  }
}
