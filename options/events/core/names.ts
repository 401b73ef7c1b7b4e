/** The names and paths of events, without schemas, because the gate loads them. */
import type { NamesSeam } from '../../../core/seams.ts'

const at = '/api/control/event-endpoints/:name'
const readers = ['marketer', 'viewer'] as const
const changers = ['marketer'] as const

export const names = {
  routes: {
    listEventEndpoints: { method: 'GET', path: '/api/control/event-endpoints', roles: readers },
    saveEventEndpoint: { method: 'PUT', path: at, roles: changers, audit: 'save-endpoint' },
    deleteEventEndpoint: { method: 'DELETE', path: at, roles: changers, audit: 'delete-endpoint' },
    rotateEventSecret: { method: 'POST', path: `${at}/secret`, roles: changers, audit: 'rotate-endpoint-secret' },
    // An endpoint may take ten seconds.
    testEventEndpoint: { method: 'POST', path: `${at}/test`, roles: changers, waitMs: 15_000 },
    listEventDeliveries: { method: 'GET', path: `${at}/deliveries`, roles: readers },
    replayEventDelivery: { method: 'POST', path: `${at}/replay`, roles: changers },
  },
  settings: { events: 'listEventEndpoints' },
  /** Reasons for which a change of endpoints is refused. */
  refusals: {
    'events-off': 'Events are off on this stage: its settings must include sendsEvents.',
    'endpoints-full': 'There are {limit} endpoints already. Delete one first.',
    'unknown-endpoint': 'There is no endpoint with this name.',
    'unknown-delivery': 'There is no record of this delivery.',
  },
  /**
   * `EventsFailed` counts tries that an endpoint did not confirm, and `EventsDead` events that were dead-lettered after the
   * last try. `EventsRejected` counts unreadable changes.
   */
  metrics: { events: ['EventsSent', 'EventsFailed', 'EventsDead', 'EventsRejected'] },
  workers: { events: 'options/events/README.md#late-events' },
} as const satisfies NamesSeam

/** The types of events; README.md explains each. */
export const eventTypes = [
  'order.reserved',
  'order.confirmed',
  'order.paid',
  'order.cancelled',
  'order.refunded',
  'order.shipped',
  'order.disputed',
  'sale.opened',
  'sale.sold-out',
  'sale.ended',
  'stock.taken',
  'stock.returned',
  'packet.credited',
] as const

/** The type of the event that a marketer sends to test an endpoint. */
export const testEventType = 'endpoint.test'
