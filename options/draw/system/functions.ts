/** The function `draws`, the rights of functions on the items of draws, and the changes that `mail` receives. */
import { keyPrefixes } from '../../../functions/table/keys.ts'
import { type FunctionsSeam, startsWith } from '../../../system/seams.ts'
import { drawPrefix, drawsPk, entriesPrefix, offersPrefix } from '../functions/keys.ts'

const { invited } = keyPrefixes

export const functions = {
  scheduled: {
    /** Advances draws. */
    draws: {
      // A minute until the next run, and the time to check and rank a list of a million entrants.
      timeoutSeconds: 120,
      description: 'Publishes, closes and decides draws, and offers units that come back.',
      // Each run lasts until just before the next one while a draw is due; a list of a million entrants takes some seconds.
      rate: { everyMinutes: 1, input: { runMs: 55_000 } },
      idle: { seconds: 0.1, tableReads: 1 },
      // A short interval, so that a demo draw opens and closes on time; a run without a draw only reads the list of draws.
      local: { everyMs: 5000, input: { runMs: 4500 } },
      single: { runMs: 0 },
    },
  },
  /** The schedule needs one of these runs, and ranks in memory: 300 MB for a million entrants. */
  capacities: { draws: { memoryMb: 1769, reserved: 4 } },
  redisCallers: ['draws'],
  rights: [
    // Entries are signed as they arrive.
    { of: 'delivery', actions: ['PutItem'], prefixes: [entriesPrefix] },
    // It writes keys, states, offers and the list of the sale; entries, orders and sales are only read.
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
