/**
 * Writes the events of a batch of changes for each endpoint that receives them. The stream delivers each change at least once
 * and in the order of its item. Events that were written before are skipped.
 */
import type { DynamoDBRecord } from 'aws-lambda'
import type { SaleId } from '../../../core/ids.ts'
import { parse } from '../../../core/lib/parse.ts'
import type { ShopContext } from '../../../functions/lib/shop/shop.ts'
import { errorFacts } from '../../../functions/lib/telemetry.ts'
import { type Change, plainValue, readChange } from '../../../functions/table/change-stream.ts'
import { creditEvent, orderEvents, type ShopEvent, saleEvents } from '../core/event.ts'
import { withNewEvents } from '../core/pending-events.ts'
import type { RecordedSaleStep } from '../core/sale-steps.ts'
import { endpointOfWake, saleStepsSk, wakeSk } from './keys.ts'
import { changePending, endpoints, receives, type StoredEndpoint, storedSaleSteps } from './table.ts'

export type CollectPorts = Pick<ShopContext, 'table' | 'clock' | 'sleep' | 'meter' | 'log'> & {
  /**
   * Sends a message that the endpoint has events, with a delay of at most 900 s. The message may be lost: `reconcile` sends
   * one when events wait too long. `isRepeat`: another function was already sending to the endpoint; sent only once.
   * @throws when SQS does not answer
   */
  wakeSender(endpointId: string, delaySeconds: number, isRepeat?: boolean): Promise<void>
}

/** A change in the engine's items, or in one of two items of events. */
export type EventChange =
  | Change
  | { sequenceNumber: string; kind: 'wake'; endpointId: string }
  | { sequenceNumber: string; kind: 'sale'; saleId: SaleId; steps: readonly RecordedSaleStep[] }

/** Reads a record of the stream, which the event source filters; undefined for another item, or a deletion. */
export function readEventChange(record: Pick<DynamoDBRecord, 'dynamodb'>): EventChange | undefined {
  const { SequenceNumber: sequenceNumber = '', NewImage, Keys } = record.dynamodb ?? {}
  const [pk = '', sk] = [Keys?.pk?.S, Keys?.sk?.S]
  if (NewImage !== undefined && sk === wakeSk) {
    return { sequenceNumber, kind: 'wake', endpointId: endpointOfWake(pk) }
  }
  if (NewImage === undefined || sk !== saleStepsSk) return readChange(record)
  const read = parse(storedSaleSteps, plainValue({ M: NewImage }))
  return read.ok
    ? { sequenceNumber, kind: 'sale', ...read.value }
    : { sequenceNumber, kind: 'unreadable', detail: `the steps of a sale: ${read.detail}` }
}

/** Number of orders and sales whose events are written concurrently. */
const concurrency = 10

/** Writes the events of changes. Returns the sequence numbers of changes to redeliver. Without an endpoint it writes nothing. */
export async function collectEvents(ports: CollectPorts, changes: readonly EventChange[]): Promise<string[]> {
  const all = await endpoints.all(ports.table)
  if (all.length === 0) return []
  const bySubject = Map.groupBy(
    changes.flatMap((change) => {
      const events = eventsOf(ports, change)
      const [first] = events
      return first === undefined ? [] : [{ change, events, subject: first.subject }]
    }),
    ({ subject }) => subject,
  )
  const remaining = [...bySubject.values()]
  const failed: string[] = []
  const woken = new Set(changes.flatMap((change) => (change.kind === 'wake' ? [change.endpointId] : [])))
  await Promise.all(Array.from({ length: concurrency }, work))
  for (const id of woken) {
    // A failure is harmless: the events are written, and a later run finds them.
    await ports.wakeSender(id, 0).catch((error) => ports.log.warn('endpoint not woken', errorFacts(error)))
  }
  return failed

  async function work(): Promise<void> {
    for (let subject = remaining.shift(); subject !== undefined; subject = remaining.shift()) {
      for (const { change, events } of subject) {
        try {
          for (const endpoint of all) if (await addEvents(ports, endpoint, events)) woken.add(endpoint.id)
        } catch (error) {
          ports.log.warn('events not written yet', { subject: events[0]?.subject, ...errorFacts(error) })
          failed.push(change.sequenceNumber)
          break
        }
      }
    }
  }
}

function eventsOf({ log, meter }: CollectPorts, change: EventChange): readonly ShopEvent[] {
  switch (change.kind) {
    case 'order':
      return orderEvents(change.order)
    case 'sale':
      return saleEvents(change.saleId, change.steps)
    case 'unreadable':
      // A retry would fail again, and block all changes behind it.
      meter.count('EventsRejected')
      log.error('change not readable', { detail: change.detail })
      return []
    case 'credit':
      return [creditEvent(change.credit, change.creditedAt)]
    case 'option':
    case 'wake':
      return []
  }
}

/** Adds the events that the endpoint receives; false when it receives none of them. */
async function addEvents(
  ports: CollectPorts,
  endpoint: StoredEndpoint,
  events: readonly ShopEvent[],
): Promise<boolean> {
  const received = events.filter((event) => receives(endpoint, event))
  const [first] = received
  if (first === undefined) return false
  await changePending(ports, endpoint.id, first.subject, (pending, now) => withNewEvents(pending, received, now))
  return true
}
