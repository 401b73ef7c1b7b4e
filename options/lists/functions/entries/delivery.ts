/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../../draw/functions/entries/delivery.ts'
import * as events from '../../../events/functions/entries/delivery.ts'
import * as reminders from '../../../reminders/functions/entries/delivery.ts'

export const variables = { ...draw.variables } as const
export const personalRoutes = [...events.personalRoutes] as const
export const shopperRoutes = [...draw.shopperRoutes, ...reminders.shopperRoutes] as const
