/** Written by `npm run build` from the folders of the options: do not edit. */
import * as reminders from '../../reminders/functions/scheduled.ts'

export const scheduled = [...reminders.scheduled] as const
