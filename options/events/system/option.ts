/**
 * The stream of the table invokes the function `events` with the changes that events follow from; its queue wakes it to
 * send them. The local system and the cloud use the same numbers and filters.
 */
import { keyPrefixes } from '../../../functions/table/keys.ts'
import { type OptionFunction, type OptionQueue, startsWith } from '../../../system/option-function.ts'
import { maxEndpoints } from '../core/endpoint.ts'
import { endpointRunPrefix, saleStepsSk, wakeSk } from '../functions/keys.ts'

/** What a stage says of events. */
export type EventSettings = {
  /** Events to the shop's own systems; absent: none are sent. */
  sendsEvents?: boolean
  /** With `sendsEvents`: a bus of EventBridge, which marketers may save as an endpoint. */
  eventBus?: true
}

const events: OptionFunction = {
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
}

export const functions = { events } as const

/** Events are in the table. An invocation for each endpoint that does not answer, so that none waits for another. */
export const wakingQueues = {
  events: { batchSize: 10, concurrency: maxEndpoints, visibilitySeconds: 60, retentionSeconds: 3600 },
} as const satisfies Record<string, OptionQueue>

export const settingProblems = [
  ({ sendsEvents, eventBus }: EventSettings): string[] =>
    eventBus === true && sendsEvents !== true
      ? ['eventBus is set without sendsEvents: the bus would get no event']
      : [],
] as const

export const stageFunctions = { events: ({ sendsEvents }: EventSettings) => sendsEvents === true } as const

/** As many as shards of the stream of the table, each of which takes 1,000 writes a second, and as endpoints that do not answer. */
export const capacities = { events: { memoryMb: 512, reserved: 16 } } as const

/** The paths of endpoints, which `delivery` answers: their secrets are sealed with its keys. */
export const behaviours = [{ pattern: '/api/control/event-endpoints*', origin: 'delivery' }] as const
