/** The table's stream for `mail`, for the local system and the cloud: which records, and how. */
import { joined } from '../core/lib/fold.ts'
import { keyPrefixes } from '../functions/table/keys.ts'
import { functions } from '../options/registry/functions.ts'
import { type StreamFilter, startsWith } from './seams.ts'

/** New and changed orders, including those of red packets, and the items of options with emails. */
export const mailFilters: readonly StreamFilter[] = [
  { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { pk: startsWith(keyPrefixes.order) } } },
  ...joined(functions, 'mailFilters'),
]

/** The view type of the stream's records. */
export const mailStreamView = 'NEW_IMAGE' as const

/**
 * `batchSize` emails take about two seconds. A change is tried for `maxAgeHours`; a payment is due within a
 * quarter of an hour, so an older email helps few. The stream itself keeps changes for 24.
 */
export const mailConsumption = { batchSize: 10, windowSeconds: 1, maxAgeHours: 6 } as const
