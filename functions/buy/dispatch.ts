/**
 * Dispatches a reservation's message to the queue. The script that took the units also wrote it to
 * the outbox, where the queue's consumer removes it once it is in the table. So a queue outage
 * delays an order and never loses it (O4).
 */
import { errorFacts, type LogFacts, type Telemetry } from '../lib/telemetry.ts'

/** Resolves once the queue holds the message. */
export type Queue<Message> = { send: (message: Message) => Promise<void> }

/**
 * True when the queue holds the message. Otherwise it is only in the outbox, where
 * `repair/orders/resend-outbox.ts` finds it (O5). `facts` identify it in the log. Never throws: after the
 * script a success must stay a success.
 */
export async function dispatch<Message>(
  { queue, meter, log }: { queue: Queue<Message> } & Telemetry,
  message: Message,
  facts: LogFacts,
): Promise<boolean> {
  try {
    await queue.send(message)
    return true
  } catch (error) {
    meter.count('SendFailed')
    log.warn('message left in the outbox', { ...facts, ...errorFacts(error) })
    return false
  }
}
