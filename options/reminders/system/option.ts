/** What the functions may do with reminders, and which changes of them `mail` gets. */
import { type StreamFilter, startsWith, type TableRight } from '../../../system/option-function.ts'
import { reminderPrefix } from '../functions/keys.ts'

const prefixes = [reminderPrefix]

export const tableRights = [
  // Shoppers change their own.
  { of: 'delivery', actions: ['PutItem', 'UpdateItem', 'DeleteItem'], prefixes },
  // One that was handed over too early waits again.
  { of: 'mail', actions: ['GetItem', 'UpdateItem'], prefixes },
] as const satisfies readonly TableRight[]

export const erasedPrefixes = prefixes

export const mailFilters = [
  { eventName: ['MODIFY'], dynamodb: { Keys: { pk: startsWith(reminderPrefix) } } },
] as const satisfies readonly StreamFilter[]
