/** The functions that options add to the system. */
import type { StreamFilter } from './stream-filter.ts'

/** One of the stages that have it. The stream of the table invokes it, with the records that a filter passes, until one is `maxAgeHours` old. */
export type OptionFunction = {
  timeoutSeconds: number
  filters: readonly StreamFilter[]
  consumption: { batchSize: number; windowSeconds: number; maxAgeHours: number }
}

/**
 * A function that an option runs in every stage. `rate` is that of the cloud, `local` the one on one machine, where a
 * run on demand gets `single`.
 */
export type ScheduledFunction = {
  timeoutSeconds: number
  description: string
  rate: { everyMinutes: number; input: Readonly<Record<string, unknown>> }
  local: { everyMs: number; input: Readonly<Record<string, unknown>> }
  single: Readonly<Record<string, unknown>>
}

/** A queue whose messages only wake the function of its name, as `wakingQueues` of queues.ts says. */
export type OptionQueue = {
  batchSize: number
  concurrency: number
  visibilitySeconds: number
  retentionSeconds: number
}
