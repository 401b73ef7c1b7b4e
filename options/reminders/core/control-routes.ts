/** The call of staff about the reminders of a sale. */
import type { ControlRoute } from '../../../core/api/control-route.ts'
import { roles } from '../../../core/roles.ts'

export const controlRoutes = {
  getReach: { method: 'GET', path: '/api/control/sales/:saleId/reach', roles },
} as const satisfies Record<string, ControlRoute>
