/** Where a message goes that nothing can ever be made of: beside its queue at once, with the reason (O7). */
import type { QueueMessage } from './queue-message.ts'
import { errorFacts, type Telemetry } from './telemetry.ts'

export type DeadLetters = { put: (body: string, reason: string) => Promise<void> }

/** True when the message is put aside and thereby done; false when it must come again. */
export async function rejectToDlq(
  { deadLetters, meter, log }: { deadLetters: DeadLetters } & Telemetry,
  { messageId, body }: QueueMessage,
  reason: string,
): Promise<boolean> {
  try {
    await deadLetters.put(body, reason)
    meter.count('DeadLettered')
    log.error('message put aside', { messageId, reason })
    return true
  } catch (error) {
    log.error('message could not be put aside', { messageId, why: reason, ...errorFacts(error) })
    return false
  }
}
