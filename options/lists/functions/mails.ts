/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/functions/mails.ts'
import * as reminders from '../../reminders/functions/mails.ts'

export const mails = [...draw.mails, ...reminders.mails] as const
