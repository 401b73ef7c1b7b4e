/** Written by `npm run build` from the folders of the options: do not edit. */
import * as reminders from '../../reminders/functions/mails.ts'

export const mails = [...reminders.mails] as const
