/** The function `draws`, what functions may do with draws, and which changes of them `mail` gets. */
import { keyPrefixes } from '../../../functions/table/keys.ts'
import {
  type ScheduledFunction,
  type StreamFilter,
  startsWith,
  type TableRight,
} from '../../../system/option-function.ts'
import { drawPrefix, drawsPk, entriesPrefix, offersPrefix } from '../functions/keys.ts'

/** Brings draws from one phase to the next. */
const draws = {
  // A minute until the next run, and the time to check and rank a list of a million entrants.
  timeoutSeconds: 120,
  description: 'Publishes, closes and decides draws, and offers units that come back.',
  // Each run lasts until just before the next one while a draw is due; a list of a million entrants takes some seconds.
  rate: { everyMinutes: 1, input: { runMs: 55_000 } },
  idle: { seconds: 0.1, tableReads: 1 },
  // Often, so that a demo draw opens and closes at its times; a run without a draw reads the list of draws alone.
  local: { everyMs: 5000, input: { runMs: 4500 } },
  single: { runMs: 0 },
} as const satisfies ScheduledFunction

export const scheduledFunctions = { draws } as const

/** Fifty entries in a second take 0.05 s each; its schedule takes one, and ranks in memory, 300 MB for a million. */
export const capacities = { draws: { memoryMb: 1769, reserved: 4 } } as const

const { invited } = keyPrefixes

export const tableRights = [
  // Entries are signed as they arrive.
  { of: 'delivery', actions: ['PutItem'], prefixes: [entriesPrefix] },
  // Keys, states and offers, and the list of the sale; entries, orders and sales are only read.
  { of: 'draws', actions: ['GetItem', 'BatchGetItem'], prefixes: [] },
  { of: 'draws', actions: ['Query'], prefixes: [drawsPk, entriesPrefix, offersPrefix] },
  { of: 'draws', actions: ['PutItem', 'UpdateItem'], prefixes: [drawPrefix] },
  { of: 'draws', actions: ['DeleteItem'], prefixes: [drawsPk] },
  { of: 'draws', actions: ['BatchWriteItem'], prefixes: [offersPrefix, invited] },
] as const satisfies readonly TableRight[]

export const erasedPrefixes = [invited, entriesPrefix, offersPrefix] as const

export const mailFilters = [
  { eventName: ['INSERT'], dynamodb: { Keys: { pk: startsWith(offersPrefix) } } },
] as const satisfies readonly StreamFilter[]
