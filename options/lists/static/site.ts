/** Written by `npm run build` from the folders of the options: do not edit. */
import { site as reminders } from '../../reminders/static/site.ts'

export const site = [...reminders] as const
