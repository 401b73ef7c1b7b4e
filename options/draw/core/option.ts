/** What the draw adds to the tables of names that every tier reads. */
import type { ControlRoute } from '../../../core/api/control-route.ts'
import { roles } from '../../../core/roles.ts'

export const paths = ['/api/entries/:saleId'] as const

export const personParts = ['draws'] as const

export const mailKinds = ['unit-offered'] as const

export const controlRoutes = {
  getDraw: { method: 'GET', path: '/api/control/sales/:saleId/draw', roles },
} as const satisfies Record<string, ControlRoute>

/** Why a change of an entry, or of a draw, is refused. */
export const refusals = {
  'entries-not-open': 'Entries open at {at}.',
  'entries-closed': 'Entries closed at {at}.',
  'changes-used': 'This entry was changed {limit} times. It stays as it is.',
  'draw-fixed': 'The rules of the draw are published, so “{field}” can’t be changed.',
} as const

/** `ListMissing`: the list is late, or came too late; `BeaconLate`: its round has not come a minute after its time. */
export const metrics = {
  DrawFailed: ['draws'],
  ListMissing: ['draws'],
  BeaconLate: ['draws'],
} as const

/** The functions that call both stores. */
export const redisCallers = ['draws'] as const
