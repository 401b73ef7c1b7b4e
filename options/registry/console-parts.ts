/** Written by `npm run build` from the folders of the options: do not edit. */
import { consoleParts as draw } from '../draw/console/console-parts.tsx'
import { consoleParts as events } from '../events/console/console-parts.ts'
import { consoleParts as reminders } from '../reminders/console/console-parts.tsx'

export const consoleParts = { draw, events, reminders }
