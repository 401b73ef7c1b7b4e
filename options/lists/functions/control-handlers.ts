/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/functions/control-handlers.ts'
import * as reminders from '../../reminders/functions/control-handlers.ts'

export const controlHandlers = [...draw.controlHandlers, ...reminders.controlHandlers] as const
