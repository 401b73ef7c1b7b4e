/** What events add to the tables of names that every tier reads. */
import type { ControlRoute } from '../../../core/api/control-route.ts'

const at = '/api/control/event-endpoints/:name'
const readers = ['marketer', 'viewer'] as const
const changers = ['marketer'] as const

export const controlRoutes = {
  listEventEndpoints: { method: 'GET', path: '/api/control/event-endpoints', roles: readers },
  saveEventEndpoint: { method: 'PUT', path: at, roles: changers },
  deleteEventEndpoint: { method: 'DELETE', path: at, roles: changers },
  rotateEventSecret: { method: 'POST', path: `${at}/secret`, roles: changers },
  testEventEndpoint: { method: 'POST', path: `${at}/test`, roles: changers },
  listEventDeliveries: { method: 'GET', path: `${at}/deliveries`, roles: readers },
  replayEventDelivery: { method: 'POST', path: `${at}/replay`, roles: changers },
} as const satisfies Record<string, ControlRoute>

/** Why a change of endpoints is refused. */
export const refusals = {
  'events-off': 'This stage sends no events: its settings must say sendsEvents.',
  'endpoints-full': 'There are {limit} endpoints already. Delete one first.',
  'unknown-endpoint': 'There is no endpoint of this name.',
  'unknown-delivery': 'There is no record of this delivery.',
} as const

/**
 * `EventsFailed` are tries that an endpoint did not confirm, and `EventsDead` were given up after the last one.
 * `EventsRejected` are changes that cannot be read.
 */
export const metrics = {
  EventsSent: ['events'],
  EventsFailed: ['events'],
  EventsDead: ['events'],
  EventsRejected: ['events'],
} as const
