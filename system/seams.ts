/** The seam of `system/`: functions that options add, their permissions, and the records of the table's stream they get. */

/** A filter of an event source mapping, for the fields of a record that it names. */
export type StreamFilter = {
  eventName: readonly string[]
  dynamodb: { Keys: Readonly<Record<string, { S: readonly [{ prefix: string }] }>> }
}

export const startsWith = (prefix: string) => ({ S: [{ prefix }] as const })

/**
 * A function of an option that some stages have. The table's stream invokes it with the records that a filter passes, each
 * until it is `maxAgeHours` old.
 */
export type OptionFunction = {
  /** True when a stage with these settings has the function. */
  isIn(settings: object): boolean
  timeoutSeconds: number
  filters: readonly StreamFilter[]
  consumption: { batchSize: number; windowSeconds: number; maxAgeHours: number }
}

/**
 * A function that an option runs in every stage. `rate` is the rate of the cloud, `local` that of one machine, where a run on
 * demand gets `single`. `idle` is the cost of a run with nothing due, which the preflight bills.
 */
export type ScheduledFunction = {
  timeoutSeconds: number
  description: string
  rate: { everyMinutes: number; input: Readonly<Record<string, unknown>> }
  idle: { seconds: number; tableReads: number }
  local: { everyMs: number; input: Readonly<Record<string, unknown>> }
  single: Readonly<Record<string, unknown>>
}

/** A queue whose messages only wake the function of its name, like `wakingQueues` in queues.ts. */
type OptionQueue = {
  batchSize: number
  concurrency: number
  visibilitySeconds: number
  retentionSeconds: number
}

/** Permissions of the function `of`: `actions` of DynamoDB, on keys that begin with one of `prefixes`, if there are any. */
export type TableRight = { of: string; actions: readonly string[]; prefixes: readonly string[] }

/** Prices in dollars; `runSeconds` is the duration of an invocation. */
export type StepPrices = { table: { write: number }; functions: { gbSecond: number }; runSeconds: number }

/** The cost of a step of a unit, in dollars, as a row of the preflight. */
export type StepCost = { item: string; each(settings: object, prices: StepPrices): number }

/**
 * `functions.ts`: what the option adds to the deployment and to one machine. `handler` is in `functions/<name>.handler.ts`. A
 * mistake here fails the synthesis or its tests, never a running stage.
 */
export type FunctionsSeam = {
  /** Functions that read the stream of the table, in the stages that have them. */
  streamed?: Readonly<Record<string, OptionFunction>>
  /** Functions that run on a schedule in every stage. */
  scheduled?: Readonly<Record<string, ScheduledFunction>>
  /** A queue for the function of the same name, whose messages only wake it. */
  queues?: Readonly<Record<string, OptionQueue>>
  /** The memory of each function, and its reserved concurrency in production. */
  capacities?: Readonly<Record<string, { memoryMb: number; reserved: number }>>
  /** Functions that call both stores and record the latency. */
  redisCallers?: readonly string[]
  /** The permissions of functions on the items of the option, in every stage. */
  rights?: readonly TableRight[]
  /** The partitions whose items an erasure deletes in batches. */
  erasedPrefixes?: readonly string[]
  /** The changes of items that invoke `mail`. */
  mailFilters?: readonly StreamFilter[]
  /** Returns the problems of a stage's settings. The parameter type is what the option adds to the settings. */
  problems?(settings: object): string[]
  /** Settings that switch on the whole option, for the tests of stages. */
  everything?: object
  /** Returns how many metrics the alarms of a stage read, each of which is billed. */
  alarmedMetrics?(settings: object): number
  cost?: StepCost
}
