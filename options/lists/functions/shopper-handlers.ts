/** Written by `npm run build` from the folders of the options: do not edit. */
import * as reminders from '../../reminders/functions/shopper-handlers.ts'

export const shopperHandlers = [...reminders.shopperHandlers] as const
