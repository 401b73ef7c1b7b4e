/** What the draw adds to the tables of names that every tier reads. */
import type { ControlRoute } from '../../../core/api/control-route.ts'
import { roles } from '../../../core/roles.ts'

export const paths = ['/api/entries/:saleId'] as const

export const personParts = ['draws'] as const

export const mailKinds = ['unit-offered'] as const

export const controlRoutes = {
  getDraw: { method: 'GET', path: '/api/control/sales/:saleId/draw', roles },
} as const satisfies Record<string, ControlRoute>
