/** What `delivery` answers of reminders. */

import { withPorts } from '../../../../functions/lib/http/app.ts'
import type { ShopperRoutes } from '../../../../functions/people/delivery.ts'
import { reminderRoutes } from '../shopper-routes.ts'

const reminders: ShopperRoutes = (ports) => withPorts(reminderRoutes, ports)

export const shopperRoutes = [reminders] as const
