/**
 * How the stream of the table invokes the function `events`, with the changes that events follow from; its queue wakes
 * it to send them (queues.ts). The local system and the cloud use the same numbers and filters.
 */
import { keyPrefixes } from '../functions/table/keys.ts'
import type { StreamFilter } from './stream-filter.ts'

/** Orders that were written or changed, what is noted of sales, and endpoints to be looked at. */
export const eventFilters: readonly StreamFilter[] = [
  { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { pk: { S: [{ prefix: keyPrefixes.order }] } } } },
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
