/** Written by `npm run build` from the folders of the options: do not edit. */
import { mailKinds as reminders } from '../../reminders/core/mail-kinds.ts'

export const mailKinds = [...reminders] as const
