/** Written by `npm run build` from the folders of the options: do not edit. */
import { controlHandlers as reminders } from '../../reminders/functions/control-handlers.ts'

export const controlHandlers = [...reminders] as const
