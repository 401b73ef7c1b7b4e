/**
 * The keys of reminders in the table:
 *   REMINDER#<shopperId>  <saleId>         the shopper wants an e-mail before the sale: `consent`, `askedAt`, and once it
 *                                          left `remindedFor`; until `expiresAt`
 *   REMINDER#<shopperId>  <saleId>#return  the same when units of it come back
 * The index `list` holds the reminders of each window of a sale, those of units apart, by what they were sent for.
 */
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import { type ItemKey, sortableTime } from '../../../functions/table/keys.ts'
import type { ReminderSubject } from '../core/names.ts'

export const reminderPrefix = 'REMINDER#'
export const remindersOf = (shopperId: ShopperId): string => reminderPrefix + shopperId
/** Whose reminder has the partition `pk`, unchecked. */
export const shopperOfReminder = (pk: string): string => pk.slice(reminderPrefix.length)
const returnMark = '#return'
const markOf = (about: ReminderSubject) => (about === 'return' ? returnMark : '')
export const reminderKey = (
  shopperId: ShopperId,
  { saleId, about }: { saleId: SaleId; about: ReminderSubject },
): ItemKey => ({ pk: remindersOf(shopperId), sk: saleId + markOf(about) })
/** What the key of a reminder says; the sale is unchecked. */
export function readReminderKey(sk: string): { saleId: string; about: ReminderSubject } {
  const about = sk.endsWith(returnMark) ? 'return' : 'start'
  return { saleId: sk.slice(0, sk.length - markOf(about).length), about }
}
/** The reminders of one window of a sale. */
export const reminderList = (saleId: SaleId, windowIndex: number, about: ReminderSubject): string =>
  `REMIND#${saleId}#${windowIndex}${markOf(about)}`
/** Who asked first comes first; one that waits again, `askedAt` 0, before all. */
export const waitingPlace = (askedAt: number, shopperId: ShopperId): string =>
  `${sortableTime(0)}#${sortableTime(askedAt)}#${shopperId}`
/** `remindedFor` (epoch ms) is the start that it was sent for, or when it was handed over; `isOpened`: its link was followed. */
export const reminderPlace = (remindedFor: number, shopperId: ShopperId, isOpened = false): string =>
  `${sortableTime(remindedFor)}#${shopperId}${isOpened ? '#opened' : ''}`
