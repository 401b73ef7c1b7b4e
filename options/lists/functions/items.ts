/** Written by `npm run build` from the folders of the options: do not edit. */
import { items as reminders } from '../../reminders/functions/items.ts'

export const items = [...reminders] as const
