/** The function `draws`, which brings draws from one phase to the next. */
import type { ScheduledFunction } from '../../../system/option-function.ts'

const draws = {
  // A minute until the next run, and the time to check and rank a list of a million entrants.
  timeoutSeconds: 120,
  description: 'Publishes, closes and decides draws, and offers units that come back.',
  // Each run lasts until just before the next one while a draw is due; a list of a million entrants takes some seconds.
  rate: { everyMinutes: 1, input: { runMs: 55_000 } },
  // Often, so that a demo draw opens and closes at its times; a run without a draw reads one item.
  local: { everyMs: 5000, input: { runMs: 4500 } },
  single: { runMs: 0 },
} as const satisfies ScheduledFunction

export const scheduledFunctions = { draws } as const
