/** What the functions may do with draws, and which changes of them `mail` gets. */
import { keyPrefixes } from '../../../functions/table/keys.ts'
import type { TableRight } from '../../../system/option-access.ts'
import { type StreamFilter, startsWith } from '../../../system/option-function.ts'
import { drawPrefix, drawsPk, entriesPrefix, offersPrefix } from '../functions/keys.ts'

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
