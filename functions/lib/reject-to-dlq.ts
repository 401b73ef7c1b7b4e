/**
 * Moves a message that can never succeed to the dead-letter queue at once, with the reason (O7).
 */
import { errorFacts, type Telemetry } from './telemetry.ts'

/** A message as a queue delivers it to its consumer. */
export type QueueMessage = { messageId: string; body: string }

export type DeadLetters = { put: (body: string, reason: string) => Promise<void> }

/** True when the message was moved and is done; false when it must be redelivered. */
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
