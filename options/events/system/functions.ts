/**
 * The stream of the table invokes the function `events` with the changes that events follow from; its queue wakes it to
 * send them. The local system and the cloud use the same numbers and filters.
 */
import { keyPrefixes } from '../../../functions/table/keys.ts'
import { type FunctionsSeam, type StepPrices, startsWith } from '../../../system/seams.ts'
import { maxEndpoints } from '../core/endpoint.ts'
import { endpointRunPrefix, saleStepsSk, wakeSk } from '../functions/keys.ts'

/** What a stage says of events. */
export type EventSettings = {
  /** Events to the shop's own systems; absent: none are sent. */
  sendsEvents?: boolean
  /** With `sendsEvents`: a bus of EventBridge, which marketers may save as an endpoint. */
  eventBus?: true
}

/** An event that waits is written and listed; the answer changes both in a transaction with the record of the event. */
const tableWritesPerEvent = 7

/** https://aws.amazon.com/eventbridge/pricing: an event of our own, for each 64 kB of it. */
const busEvent = 1e-6

type Sizes = { functions: { events: { memoryMb: number } } }

export const functions = {
  streamed: {
    events: {
      isIn: ({ sendsEvents }: EventSettings) => sendsEvents === true,
      // A post takes up to 10 s, and begins when half of the time is over at the latest.
      timeoutSeconds: 30,
      /** Orders that were written or changed, what is noted of sales, and endpoints to be looked at. */
      filters: [
        { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { pk: startsWith(keyPrefixes.order) } } },
        {
          eventName: ['INSERT', 'MODIFY'],
          dynamodb: { Keys: { pk: startsWith(keyPrefixes.sale), sk: startsWith(saleStepsSk) } },
        },
        {
          eventName: ['INSERT', 'MODIFY'],
          dynamodb: { Keys: { pk: startsWith(endpointRunPrefix), sk: startsWith(wakeSk) } },
        },
      ],
      // A change is tried for as long as the stream keeps it.
      consumption: { batchSize: 100, windowSeconds: 1, maxAgeHours: 24 },
    },
  },
  /** Events are in the table. An invocation for each endpoint that does not answer, so that none waits for another. */
  queues: { events: { batchSize: 10, concurrency: maxEndpoints, visibilitySeconds: 60, retentionSeconds: 3600 } },
  /** As many as shards of the stream of the table, each of which takes 1,000 writes a second, and as endpoints that do not answer. */
  capacities: { events: { memoryMb: 512, reserved: 16 } },
  problems: ({ sendsEvents, eventBus }: EventSettings): string[] =>
    eventBus === true && sendsEvents !== true
      ? ['eventBus is set without sendsEvents: the bus would get no event']
      : [],
  everything: { sendsEvents: true, eventBus: true },
  alarmedMetrics: ({ sendsEvents }: EventSettings) => (sendsEvents === true ? 3 : 0),
  /** For one endpoint, as the settings do not say how many there are, and for the bus of a stage that has one. */
  cost: {
    item: 'Events',
    each({ sendsEvents, eventBus, functions: { events } }: EventSettings & Sizes, prices: StepPrices) {
      if (sendsEvents !== true) return 0
      const run = prices.runSeconds * (events.memoryMb / 1024) * prices.functions.gbSecond
      const delivered = tableWritesPerEvent * prices.table.write + run
      return eventBus === true ? 2 * delivered + busEvent : delivered
    },
  },
} as const satisfies FunctionsSeam
