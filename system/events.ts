/**
 * How the function `events` is invoked: by the stream of the table, with the changes that events follow from, and by its
 * queue, to send them. The local system and the cloud use the same numbers and filters.
 */
import { maxEndpoints } from '../core/events/endpoint.ts'
import { keyPrefixes } from '../functions/table/keys.ts'
import { newCredits, type StreamFilter } from './mail.ts'

/**
 * Orders that were written or changed, red packets that were credited, what is noted of sales and their stock, and
 * endpoints that are to be looked at.
 */
export const eventFilters: readonly StreamFilter[] = [
  { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { pk: { S: [{ prefix: keyPrefixes.order }] } } } },
  newCredits,
  {
    eventName: ['INSERT', 'MODIFY'],
    dynamodb: { Keys: { pk: { S: [{ prefix: keyPrefixes.sale }] }, sk: { S: [{ prefix: keyPrefixes.saleSteps }] } } },
  },
  {
    eventName: ['INSERT', 'MODIFY'],
    dynamodb: {
      Keys: { pk: { S: [{ prefix: keyPrefixes.endpointRun }] }, sk: { S: [{ prefix: keyPrefixes.endpointWake }] } },
    },
  },
]

/** A change is tried for as long as the stream keeps it. */
export const eventStreamConsumption = { batchSize: 100, windowSeconds: 1, maxAgeHours: 24 } as const

/** One invocation for each endpoint that does not answer, and for the bus, so that none waits for another. */
export const eventQueueConsumption = { batchSize: 10, concurrency: maxEndpoints + 1 } as const

/** The queue has no dead-letter queue: its messages only wake the function, and the events are in the table. */
export const eventQueueName = 'events'

/** How long until a message that was not answered is received again; the timeout of the function is shorter. */
export const eventVisibilitySeconds = 60
