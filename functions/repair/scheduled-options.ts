/** The options that do something in the scheduled run. */

import { scheduled } from '../../options/lists/functions/scheduled.ts'
import { scheduledEvents } from './note-events.ts'
import type { ScheduledOption } from './scheduled-option.ts'

export const scheduledOptions: readonly ScheduledOption[] = [scheduledEvents, ...scheduled]
