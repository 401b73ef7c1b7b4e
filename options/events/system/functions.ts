/**
 * The function `events`: the table's stream invokes it with the changes from which events follow, and its queue wakes it to send
 * them. The local system and the cloud use the same numbers and filters.
 */
import { keyPrefixes } from '../../../functions/table/keys.ts'
import { type FunctionsSeam, type StepPrices, startsWith } from '../../../system/seams.ts'
import { maxEndpoints } from '../core/endpoint.ts'
import { endpointRunPrefix, saleStepsSk, wakeSk } from '../functions/keys.ts'

/** The settings of a stage about events. */
export type EventSettings = {
  /** Sends events to the shop's own systems; absent: none are sent. */
  sendsEvents?: boolean
  /** Creates a bus of EventBridge that marketers may save as an endpoint. Requires `sendsEvents`. */
  eventBus?: true
}

/** A pending event is written and listed; the answer changes both in a transaction with the record of the event. */
const tableWritesPerEvent = 7

/** https://aws.amazon.com/eventbridge/pricing: an event of our own, for each 64 kB of it. */
const busEvent = 1e-6

type Sizes = { functions: { events: { memoryMb: number } } }

export const functions = {
  streamed: {
    events: {
      isIn: ({ sendsEvents }: EventSettings) => sendsEvents === true,
      // A post takes up to 10 s, and starts before half of the time is over.
      timeoutSeconds: 30,
      /** New or changed orders, the steps of sales, and endpoints to wake. */
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
      // A change is retried for as long as the stream keeps it.
      consumption: { batchSize: 100, windowSeconds: 1, maxAgeHours: 24 },
    },
  },
  /** Messages only wake the function; events are in the table. Each endpoint may occupy one invocation, so that none waits for another. */
  queues: { events: { batchSize: 10, concurrency: maxEndpoints, visibilitySeconds: 60, retentionSeconds: 3600 } },
  /** Enough for the shards of the table's stream, each of which takes 1,000 writes a second, and for endpoints that do not answer. */
  capacities: { events: { memoryMb: 512, reserved: 16 } },
  problems: ({ sendsEvents, eventBus }: EventSettings): string[] =>
    eventBus === true && sendsEvents !== true
      ? ['eventBus is set without sendsEvents: the bus would get no event']
      : [],
  everything: { sendsEvents: true, eventBus: true },
  alarmedMetrics: ({ sendsEvents }: EventSettings) => (sendsEvents === true ? 3 : 0),
  /** Counts one endpoint, because the settings do not say how many there are, and the bus if the stage has one. */
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
