/** Sends invalid messages to the dead-letter queue that SQS uses for the same queue. */
import type { DeadLetters } from '../../lib/reject-to-dlq.ts'
import { sendBatch } from './send-batch.sqs.ts'
import type { Sqs } from './sqs.ts'

/** The reason is text for operators; SQS counts attributes as part of the message. */
const maxReasonLength = 256

/** The reason is in the attribute `reason`. */
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
