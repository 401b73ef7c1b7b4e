/** The shell of every queue consumer: an SQS batch in, the ids of messages to redeliver out. */
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda'
import type { FunctionTelemetry } from './telemetry.powertools.ts'
import { errorFacts, type Telemetry } from './telemetry.ts'

/**
 * Time for the last transaction, including one that never answers (2.5 s, `longestWriteMs`), and
 * the report. With a function timeout of 10 s a busy table is retried for 7 s.
 */
const marginMs = 3000

type Invocation = Pick<Context, 'getRemainingTimeInMillis'>

/**
 * A Lambda handler that passes each batch to `consume`, which begins nothing after `deadline`
 * (epoch ms) and resolves with the ids of the messages that must be redelivered.
 */
export function queueConsumer(
  telemetry: FunctionTelemetry,
  consume: (messages: readonly QueueMessage[], deadline: number) => Promise<readonly string[]>,
): (event: SQSEvent, context: Invocation) => Promise<SQSBatchResponse> {
  return (event, context) =>
    telemetry.during(async () => {
      const deadline = Date.now() + context.getRemainingTimeInMillis() - marginMs
      const failed = await consume(event.Records, deadline)
      return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) }
    })
}

/** A message as a queue delivers it to its consumer. */
export type QueueMessage = { messageId: string; body: string }

export type DeadLetters = { put: (body: string, reason: string) => Promise<void> }

/** Moves a message that can never succeed to the dead-letter queue (O7). False when it must be redelivered. */
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
