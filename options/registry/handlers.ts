/** Written by `npm run build` from the folders of the options: do not edit. */
import { handlers as draw } from '../draw/functions/entries/handlers.ts'
import { handlers as events } from '../events/functions/entries/handlers.ts'
import { handlers as reminders } from '../reminders/functions/entries/handlers.ts'

export const handlers = { draw, events, reminders }
