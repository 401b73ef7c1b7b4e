/** The names and paths of the draw, without schemas, because the gate loads them. */
import { roles } from '../../../core/roles.ts'
import type { NamesSeam } from '../../../core/seams.ts'

export const names = {
  paths: ['/api/entries/:saleId'],
  routes: { getDraw: { method: 'GET', path: '/api/control/sales/:saleId/draw', roles } },
  personParts: ['draws'],
  mailKinds: ['unit-offered'],
  /** Why a change of an entry, or of a draw, is refused. */
  refusals: {
    'entries-not-open': 'Entries open at {at}.',
    'entries-closed': 'Entries closed at {at}.',
    'changes-used': 'This entry was changed {limit} times. It can’t be changed again.',
    'draw-fixed': 'The rules of the draw are published, so “{field}” can’t be changed.',
  },
  /** `ListMissing`: the list is late, or came too late; `BeaconLate`: the round is missing a minute after its time. */
  metrics: { draws: ['DrawFailed', 'ListMissing', 'BeaconLate'] },
} as const satisfies NamesSeam
