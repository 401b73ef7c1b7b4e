/** The function `draws`, what functions may do with draws, and which changes of them `mail` gets. */
import { keyPrefixes } from '../../../functions/table/keys.ts'
import { type FunctionsSeam, startsWith } from '../../../system/seams.ts'
import { drawPrefix, drawsPk, entriesPrefix, offersPrefix } from '../functions/keys.ts'

const { invited } = keyPrefixes

export const functions = {
  scheduled: {
    /** Brings draws from one phase to the next. */
    draws: {
      // A minute until the next run, and the time to check and rank a list of a million entrants.
      timeoutSeconds: 120,
      description: 'Publishes, closes and decides draws, and offers units that come back.',
      // Each run lasts until just before the next one while a draw is due; a list of a million entrants takes some seconds.
      rate: { everyMinutes: 1, input: { runMs: 55_000 } },
      idle: { seconds: 0.1, tableReads: 1 },
      // Often, so that a demo draw opens and closes at its times; a run without a draw reads the list of draws alone.
      local: { everyMs: 5000, input: { runMs: 4500 } },
      single: { runMs: 0 },
    },
  },
  /** Fifty entries in a second take 0.05 s each; its schedule takes one, and ranks in memory, 300 MB for a million. */
  capacities: { draws: { memoryMb: 1769, reserved: 4 } },
  redisCallers: ['draws'],
  rights: [
    // Entries are signed as they arrive.
    { of: 'delivery', actions: ['PutItem'], prefixes: [entriesPrefix] },
    // Keys, states and offers, and the list of the sale; entries, orders and sales are only read.
    { of: 'draws', actions: ['GetItem', 'BatchGetItem'], prefixes: [] },
    { of: 'draws', actions: ['Query'], prefixes: [drawsPk, entriesPrefix, offersPrefix] },
    { of: 'draws', actions: ['PutItem', 'UpdateItem'], prefixes: [drawPrefix] },
    { of: 'draws', actions: ['DeleteItem'], prefixes: [drawsPk] },
    { of: 'draws', actions: ['BatchWriteItem'], prefixes: [offersPrefix, invited] },
  ],
  erasedPrefixes: [invited, entriesPrefix, offersPrefix],
  mailFilters: [{ eventName: ['INSERT'], dynamodb: { Keys: { pk: startsWith(offersPrefix) } } }],
  alarmedMetrics: ({ size }: { size: string }) => (size === 'full' ? 5 : 4),
} as const satisfies FunctionsSeam
