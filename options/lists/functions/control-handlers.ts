/** Written by `npm run build` from the folders of the options: do not edit. */
import * as reminders from '../../reminders/functions/control-handlers.ts'

export const controlHandlers = [...reminders.controlHandlers] as const
