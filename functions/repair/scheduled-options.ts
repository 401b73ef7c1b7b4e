/** The options that do something in the scheduled run. */
import { scheduledEvents } from './note-events.ts'
import { scheduledReminders } from './remind.ts'
import type { ScheduledOption } from './scheduled-option.ts'

export const scheduledOptions: readonly ScheduledOption[] = [scheduledEvents, scheduledReminders]
