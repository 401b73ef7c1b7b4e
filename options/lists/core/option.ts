/** Written by `npm run build` from the folders of the options: do not edit. */
import * as events from '../../events/core/option.ts'
import * as reminders from '../../reminders/core/option.ts'

export const paths = [...reminders.paths] as const
export const personParts = [...reminders.personParts] as const
export const mailKinds = [...reminders.mailKinds] as const
export const controlRoutes = { ...events.controlRoutes, ...reminders.controlRoutes } as const
