/** Written by `npm run build` from the folders of the options: do not edit. */
import * as events from '../../events/functions/scheduled.ts'
import * as reminders from '../../reminders/functions/scheduled.ts'

export const scheduled = [...events.scheduled, ...reminders.scheduled] as const
