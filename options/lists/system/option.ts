/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/system/option.ts'
import * as events from '../../events/system/option.ts'
import * as reminders from '../../reminders/system/option.ts'

export const mailFilters = [...draw.mailFilters, ...reminders.mailFilters] as const
export const tableRights = [...draw.tableRights, ...reminders.tableRights] as const
export const erasedPrefixes = [...draw.erasedPrefixes, ...reminders.erasedPrefixes] as const
export const behaviours = [...events.behaviours] as const
