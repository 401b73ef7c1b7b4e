/** What reminders add to the tables of names that every tier reads. */
import type { ControlRoute } from '../../../core/api/control-route.ts'
import { roles } from '../../../core/roles.ts'

export const paths = ['/api/reminders'] as const

export const personParts = ['reminders'] as const

export const mailKinds = ['reminder', 'units-back'] as const

export const controlRoutes = {
  getReach: { method: 'GET', path: '/api/control/sales/:saleId/reach', roles },
} as const satisfies Record<string, ControlRoute>
