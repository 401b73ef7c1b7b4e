/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/core/option.ts'
import * as events from '../../events/core/option.ts'
import * as reminders from '../../reminders/core/option.ts'

export const paths = [...draw.paths, ...reminders.paths] as const
export const personParts = [...draw.personParts, ...reminders.personParts] as const
export const mailKinds = [...draw.mailKinds, ...reminders.mailKinds] as const
export const controlRoutes = { ...draw.controlRoutes, ...events.controlRoutes, ...reminders.controlRoutes } as const
export const refusals = { ...draw.refusals, ...events.refusals } as const
export const metrics = { ...draw.metrics, ...events.metrics } as const
export const redisCallers = [...draw.redisCallers] as const
