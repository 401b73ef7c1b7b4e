/** Written by `npm run build` from the folders of the options: do not edit. */
import * as reminders from '../../reminders/static/page-parts.ts'

export const pageParts = [...reminders.pageParts] as const
