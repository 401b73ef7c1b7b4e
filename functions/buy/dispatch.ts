/**
 * What becomes of a promise once a script has given it: its message goes into the queue and then leaves the outbox. The same
 * script put the message into the outbox, so a queue that is down costs time and never a promise (O4). Nothing here throws,
 * for nothing after the script may turn a yes into a no.
 */
import type { SaleId } from '../../core/ids.ts'
import { errorFacts, type LogFacts, type Telemetry } from '../lib/telemetry.ts'

/** Resolves once the message is safely queued. */
export type Queue<Message> = { send: (message: Message) => Promise<void> }

/** Forgets a message that is known to be queued; `Id` is what it is kept under. */
export type Outbox<Id> = { acknowledge: (saleId: SaleId, id: Id) => Promise<void> }

export type DispatchPorts<Message, Id> = { queue: Queue<Message>; outbox: Outbox<Id> } & Telemetry

/** `facts` name the promise in the log. */
export type Reserved<Message, Id> = { message: Message; saleId: SaleId; id: Id; facts: LogFacts }

/** A failure here leaves the message in the outbox, from where `reconcile` takes it up (O5). */
export async function dispatch<Message, Id>(
  { queue, outbox, meter, log }: DispatchPorts<Message, Id>,
  { message, saleId, id, facts }: Reserved<Message, Id>,
): Promise<void> {
  try {
    await queue.send(message)
  } catch (error) {
    meter.count('SendFailed')
    log.warn('promise left in the outbox', { ...facts, ...errorFacts(error) })
    return
  }
  try {
    await outbox.acknowledge(saleId, id)
  } catch (error) {
    meter.count('AcknowledgeFailed')
    log.warn('promise sent but still in the outbox', { ...facts, ...errorFacts(error) })
  }
}
