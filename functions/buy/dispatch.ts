/**
 * Dispatches a reservation's message: sends it to the queue, then removes it from the outbox. The
 * script that took the units also wrote the outbox entry, so a queue outage delays an order and
 * never loses it (O4). Nothing here throws: after the script a success must stay a success.
 */
import type { SaleId } from '../../core/ids.ts'
import { errorFacts, type LogFacts, type Telemetry } from '../lib/telemetry.ts'

/** Resolves once the queue holds the message. */
export type Queue<Message> = { send: (message: Message) => Promise<void> }

/** Removes a message that is known to be queued; `Id` is its key in the outbox. */
export type Outbox<Id> = { acknowledge: (saleId: SaleId, id: Id) => Promise<void> }

export type DispatchPorts<Message, Id> = { queue: Queue<Message>; outbox: Outbox<Id> } & Telemetry

/** `facts` identify the message in the log. */
export type Reserved<Message, Id> = { message: Message; saleId: SaleId; id: Id; facts: LogFacts }

/** On failure the message stays in the outbox, where `reconcile` finds it (O5). */
export async function dispatch<Message, Id>(
  { queue, outbox, meter, log }: DispatchPorts<Message, Id>,
  { message, saleId, id, facts }: Reserved<Message, Id>,
): Promise<void> {
  try {
    await queue.send(message)
  } catch (error) {
    meter.count('SendFailed')
    log.warn('message left in the outbox', { ...facts, ...errorFacts(error) })
    return
  }
  try {
    await outbox.acknowledge(saleId, id)
  } catch (error) {
    meter.count('AcknowledgeFailed')
    log.warn('message sent but still in the outbox', { ...facts, ...errorFacts(error) })
  }
}
