/** Written by `npm run build` from the folders of the options: do not edit. */
import { personParts as reminders } from '../../reminders/core/person-parts.ts'

export const personParts = [...reminders] as const
