/** The shell around every consumer of a queue: an SQS batch in, the ids of the messages that must come again out. */
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda'
import type { QueueMessage } from './queue-message.ts'
import type { FunctionTelemetry } from './telemetry.powertools.ts'

/**
 * What the last transaction may need, an answer that never comes included (2.5 s, `longestWriteMs` of the transactions),
 * and the report. With a function timeout of 10 s a busy table is tried for 7 s.
 */
const reserveMs = 3000

type Invocation = Pick<Context, 'getRemainingTimeInMillis'>

/**
 * A Lambda handler that hands each batch to `consume`, which begins nothing after `deadline` (epoch ms) and resolves
 * with the ids of the messages that must come again.
 */
export function queueConsumer(
  telemetry: FunctionTelemetry,
  consume: (mail: readonly QueueMessage[], deadline: number) => Promise<readonly string[]>,
): (event: SQSEvent, context: Invocation) => Promise<SQSBatchResponse> {
  return (event, context) =>
    telemetry.during(async () => {
      const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs
      const failed = await consume(event.Records, deadline)
      return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) }
    })
}
