/** Written by `npm run build` from the folders of the options: do not edit. */
import * as reminders from '../../reminders/functions/items.ts'

export const items = [...reminders.items] as const
