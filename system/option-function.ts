/** The functions that options add to the system, their rights, and which records of the table's stream a function gets. */

/** A filter of an event source mapping, for the fields of a record that it names. */
export type StreamFilter = {
  eventName: readonly string[]
  dynamodb: { Keys: Readonly<Record<string, { S: readonly [{ prefix: string }] }>> }
}

export const startsWith = (prefix: string) => ({ S: [{ prefix }] as const })

/** One of the stages that have it. The stream of the table invokes it, with the records that a filter passes, until one is `maxAgeHours` old. */
export type OptionFunction = {
  timeoutSeconds: number
  filters: readonly StreamFilter[]
  consumption: { batchSize: number; windowSeconds: number; maxAgeHours: number }
}

/**
 * A function that an option runs in every stage. `rate` is that of the cloud, `local` the one on one machine, where a
 * run on demand gets `single`. `idle` is what a run takes while nothing is due, which the preflight bills.
 */
export type ScheduledFunction = {
  timeoutSeconds: number
  description: string
  rate: { everyMinutes: number; input: Readonly<Record<string, unknown>> }
  idle: { seconds: number; tableReads: number }
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

/** What the function `of` may do: `actions` are those of DynamoDB. Every key of a request begins with one of `prefixes`, if there are any. */
export type TableRight = { of: string; actions: readonly string[]; prefixes: readonly string[] }
