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
