/**
 * The keys of reminders in the table:
 *   REMINDER#<shopperId>  <saleId>         the shopper wants an email before the sale: `consent`, `askedAt`, and once it
 *                                          left `remindedFor`; until `expiresAt`
 *   REMINDER#<shopperId>  <saleId>#return  an email when units of it come back, with the same fields
 * The index `list` holds the reminders of each window of a sale by `remindedFor`, with a separate list for returned units.
 */
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import { type ItemKey, sortableTime } from '../../../functions/table/keys.ts'
import type { ReminderSubject } from '../core/names.ts'

export const reminderPrefix = 'REMINDER#'
export const remindersOf = (shopperId: ShopperId): string => reminderPrefix + shopperId
/** Returns the shopper in the partition key of a reminder, not validated. */
export const shopperOfReminder = (pk: string): string => pk.slice(reminderPrefix.length)
const returnMark = '#return'
const markOf = (about: ReminderSubject) => (about === 'return' ? returnMark : '')
export const reminderKey = (
  shopperId: ShopperId,
  { saleId, about }: { saleId: SaleId; about: ReminderSubject },
): ItemKey => ({ pk: remindersOf(shopperId), sk: saleId + markOf(about) })
/** Reads the sort key of a reminder; the sale is not validated. */
export function readReminderKey(sk: string): { saleId: string; about: ReminderSubject } {
  const about = sk.endsWith(returnMark) ? 'return' : 'start'
  return { saleId: sk.slice(0, sk.length - markOf(about).length), about }
}
/** Returns the list of the reminders of one window of a sale. */
export const reminderList = (saleId: SaleId, windowIndex: number, about: ReminderSubject): string =>
  `REMIND#${saleId}#${windowIndex}${markOf(about)}`
/** Returns the place of a waiting reminder: by the time of the request. A requeued one, with `askedAt` 0, is before all others. */
export const waitingPlace = (askedAt: number, shopperId: ShopperId): string =>
  `${sortableTime(0)}#${sortableTime(askedAt)}#${shopperId}`
/** Returns the place of a sent reminder. `remindedFor` (epoch ms) is its start, or when it was handed over; `isOpened`: its link was followed. */
export const reminderPlace = (remindedFor: number, shopperId: ShopperId, isOpened = false): string =>
  `${sortableTime(remindedFor)}#${shopperId}${isOpened ? '#opened' : ''}`
