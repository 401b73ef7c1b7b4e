/** Written by `npm run build` from the folders of the options: do not edit. */
import { mailFilters as reminders } from '../../reminders/system/mail-filters.ts'

export const mailFilters = [...reminders] as const
