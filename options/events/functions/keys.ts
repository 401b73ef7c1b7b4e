/**
 * The keys of events in the table:
 *   ENDPOINTS               <name>          an address of the shop that receives events, with its sealed secrets
 *   ENDPOINT#<id>           RUN             `leasedUntil`, while a function sends to that address; until `expiresAt`
 *   ENDPOINT#<id>           WAKE            when the function was last woken for due events
 *   PENDING#<id>#<subject>  PENDING         the events of an order or sale that the endpoint has not received; idle ones
 *                                           until `expiresAt`
 *   SENT#<id>               <time>#<event>  an event that was delivered or dead-lettered; until `expiresAt`
 *   SALE#<saleId>           STEPS           when the sale opened, sold out and ended
 * The index `list` holds the pending events of an endpoint by the time of the next try. Events contain the id of a person and
 * what was bought, until they expire.
 */
import type { SaleId } from '../../../core/ids.ts'
import { type ItemKey, keyPrefixes, type ListKey, sortableTime } from '../../../functions/table/keys.ts'

export const endpointsPk = 'ENDPOINTS'
export const endpointRunPrefix = 'ENDPOINT#'
/** Endpoints have ids, so that a new one with the name of a former one does not inherit its items. */
export const endpointRunKey = (endpointId: string): ItemKey => ({ pk: endpointRunPrefix + endpointId, sk: 'RUN' })
export const wakeSk = 'WAKE'
export const endpointWakeKey = (endpointId: string): ItemKey => ({ pk: endpointRunPrefix + endpointId, sk: wakeSk })
/** Returns the endpoint in the partition key of a wake item. */
export const endpointOfWake = (pk: string): string => pk.slice(endpointRunPrefix.length)
export const pendingPrefix = 'PENDING#'
export const pendingKey = (endpointId: string, subject: string): ItemKey => ({
  pk: `${pendingPrefix}${endpointId}#${subject}`,
  sk: 'PENDING',
})
/** Returns the order or sale in the partition key of pending events. */
export const subjectOfPending = (endpointId: string, pk: string): string =>
  pk.slice(`${pendingPrefix}${endpointId}#`.length)
export const sentPrefix = 'SENT#'
export const sentPk = (endpointId: string): string => sentPrefix + endpointId
export const sentKey = (endpointId: string, finishedAt: number, eventId: string): ItemKey => ({
  pk: sentPk(endpointId),
  sk: `${sortableTime(finishedAt)}#${eventId}`,
})
export const pendingList = (endpointId: string): string => pendingPrefix + endpointId
export const pendingListKey = (endpointId: string, subject: string, nextAt: number): ListKey => ({
  listPk: pendingList(endpointId),
  listSk: `${sortableTime(nextAt)}#${subject}`,
})
/** Returns when pending events are due, by their place on the list. */
export const timeOfPending = (listSk: string): number => Number(listSk.slice(0, listSk.indexOf('#')))
/** Returns the place after all events that are due at `now` (epoch ms). */
export const pendingUntil = (now: number): string => sortableTime(now + 1)
export const saleStepsSk = 'STEPS'
export const saleStepsKey = (saleId: SaleId): ItemKey => ({ pk: keyPrefixes.sale + saleId, sk: saleStepsSk })
