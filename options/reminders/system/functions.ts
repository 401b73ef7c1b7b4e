/** What the functions may do with reminders, and which changes of them `mail` gets. */
import { type FunctionsSeam, startsWith } from '../../../system/seams.ts'
import { reminderPrefix } from '../functions/keys.ts'

const prefixes = [reminderPrefix]

export const functions = {
  rights: [
    // Shoppers change their own.
    { of: 'delivery', actions: ['PutItem', 'UpdateItem', 'DeleteItem'], prefixes },
    // One that was handed over too early waits again.
    { of: 'mail', actions: ['GetItem', 'UpdateItem'], prefixes },
  ],
  erasedPrefixes: prefixes,
  mailFilters: [{ eventName: ['MODIFY'], dynamodb: { Keys: { pk: startsWith(reminderPrefix) } } }],
} as const satisfies FunctionsSeam
