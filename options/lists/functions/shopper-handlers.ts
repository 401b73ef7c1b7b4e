/** Written by `npm run build` from the folders of the options: do not edit. */
import { shopperHandlers as reminders } from '../../reminders/functions/shopper-handlers.ts'

export const shopperHandlers = [...reminders] as const
