/** The reminders that leave. */
import { type StreamFilter, startsWith } from '../../../system/stream-filter.ts'
import { reminderPrefix } from '../functions/keys.ts'

export const mailFilters = [
  { eventName: ['MODIFY'], dynamodb: { Keys: { pk: startsWith(reminderPrefix) } } },
] as const satisfies readonly StreamFilter[]
