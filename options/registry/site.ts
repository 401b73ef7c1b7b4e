/** Written by `npm run build` from the folders of the options: do not edit. */
import { site as draw } from '../draw/static/site.ts'
import { site as events } from '../events/static/site.ts'
import { site as reminders } from '../reminders/static/site.ts'

export const site = { draw, events, reminders }
