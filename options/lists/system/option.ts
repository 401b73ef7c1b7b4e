/** Written by `npm run build` from the folders of the options: do not edit. */
import * as reminders from '../../reminders/system/option.ts'

export const mailFilters = [...reminders.mailFilters] as const
export const tableRights = [...reminders.tableRights] as const
