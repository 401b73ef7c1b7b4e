/** The rights of functions on reminders, and the changes that `mail` receives. */
import { type FunctionsSeam, startsWith } from '../../../system/seams.ts'
import { reminderPrefix } from '../functions/keys.ts'

const prefixes = [reminderPrefix]

export const functions = {
  rights: [
    // Shoppers change their own reminders.
    { of: 'delivery', actions: ['PutItem', 'UpdateItem', 'DeleteItem'], prefixes },
    // `mail` queues a reminder again that was handed over too early.
    { of: 'mail', actions: ['GetItem', 'UpdateItem'], prefixes },
  ],
  erasedPrefixes: prefixes,
  mailFilters: [{ eventName: ['MODIFY'], dynamodb: { Keys: { pk: startsWith(reminderPrefix) } } }],
} as const satisfies FunctionsSeam
