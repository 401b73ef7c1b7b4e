/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/functions/items.ts'
import * as reminders from '../../reminders/functions/items.ts'

export const items = [...draw.items, ...reminders.items] as const
