/**
 * Dispatches a reservation's message: sends it to the queue, then removes it from the outbox. The
 * script that took the units also wrote the outbox entry, so a queue outage delays an order and
 * never loses it (O4). Nothing here throws: after the script a success must stay a success.
 */
import { errorFacts, type LogFacts, type Telemetry } from '../lib/telemetry.ts'

/** Resolves once the queue holds the message. */
export type Queue<Message> = { send: (message: Message) => Promise<void> }

/**
 * `acknowledge` removes the message from the outbox once it is queued; `facts` identify it in the
 * log.
 */
export type Recorded<Message> = { message: Message; acknowledge: () => Promise<void>; facts: LogFacts }

/** On failure the message stays in the outbox, where `repair/resend-outbox.ts` finds it (O5). */
export async function dispatch<Message>(
  { queue, meter, log }: { queue: Queue<Message> } & Telemetry,
  { message, acknowledge, facts }: Recorded<Message>,
): Promise<void> {
  try {
    await queue.send(message)
  } catch (error) {
    meter.count('SendFailed')
    log.warn('message left in the outbox', { ...facts, ...errorFacts(error) })
    return
  }
  try {
    await acknowledge()
  } catch (error) {
    meter.count('AcknowledgeFailed')
    log.warn('message sent but still in the outbox', { ...facts, ...errorFacts(error) })
  }
}
