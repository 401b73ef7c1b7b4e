/** A function that an option adds to the system, in the stages that have it. */
import type { StreamFilter } from './stream-filter.ts'

/** The stream of the table invokes it, with the records that a filter passes, until one is `maxAgeHours` old. */
export type OptionFunction = {
  timeoutSeconds: number
  filters: readonly StreamFilter[]
  consumption: { batchSize: number; windowSeconds: number; maxAgeHours: number }
}

/** A queue whose messages only wake the function of its name, as `wakingQueues` of queues.ts says. */
export type OptionQueue = {
  batchSize: number
  concurrency: number
  visibilitySeconds: number
  retentionSeconds: number
}
