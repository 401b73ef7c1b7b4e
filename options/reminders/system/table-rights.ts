/** What the functions may do with reminders: shoppers change theirs, and `mail` reads what it sends. */
import type { TableRight } from '../../../system/table-right.ts'
import { reminderPrefix } from '../functions/keys.ts'

const prefixes = [reminderPrefix]

export const tableRights = [
  { of: 'delivery', actions: ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'], prefixes },
  // One that was handed over too early waits again.
  { of: 'mail', actions: ['GetItem', 'UpdateItem'], prefixes },
] as const satisfies readonly TableRight[]
