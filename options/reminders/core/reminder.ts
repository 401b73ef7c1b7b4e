/**
 * A reminder of a sale, which a shopper sets on its page: one email about ten minutes before the start of the window that the
 * page showed, or one when units of a sold-out window come back.
 */
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import type { Language } from '../../../core/language.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { ReminderSubject } from './names.ts'

/** The last reminder leaves this long before the start, ms. */
export const remindAheadMs = 10 * 60_000

/** Ten a second: SES sends 14 a second by default, and emails about orders must not wait. */
export const remindersPerMinute = 600

/** The first reminders of a large list leave at most this much earlier, ms. */
export const maxHeadStartMs = 60 * 60_000

/** Emails in a minute for each returned unit: most shoppers do not read theirs at once. */
const mailsPerUnit = 10

/** An email about units is not sent after this, ms: the units may be gone. */
const returnNewsMs = 10 * 60_000

/** A request within this time after the email left is a repeat of the one that the email answered, ms. */
export const repeatedWithinMs = 60_000

/** A reminder, and with it the evidence of the consent, is deleted this long after the end of the sale, ms. */
export const keptAfterSaleMs = 30 * 86_400_000

/** `consent` is the text that the shopper agreed to, in `language`; `askedAt` is epoch ms. */
export type Reminder = { saleId: SaleId; about: ReminderSubject; askedAt: number; language: Language; consent: string }

/** A reminder to send: `remindedFor` (epoch ms) is the start that it is sent for, or when units were seen. */
export type HandedReminder = Pick<Reminder, 'saleId' | 'about'> & { shopperId: ShopperId; remindedFor: number }

type Starting = Pick<Sale, 'warmed' | 'flag' | 'startsAt' | 'endsAt'>

/**
 * True when shoppers may set such a reminder at `now` (epoch ms): of the start until then, and of units while the window runs.
 * Red packets do not come back, and an unlimited stock is never sold out.
 */
export function canRequestReminder(
  { warmed, flag, startsAt, endsAt, kind, stock }: Starting & Pick<Sale, 'kind' | 'stock'>,
  about: ReminderSubject,
  now: number,
): boolean {
  if (!warmed || flag === 'closed') return false
  if (about === 'start') return now < startsAt
  return kind !== 'red-packet' && stock !== -1 && now >= startsAt && now < endsAt
}

/** True when reminders may leave at `now` (epoch ms). Reminders of a paused sale wait until it is resumed in its window. */
export function canSendReminders({ warmed, flag, startsAt, endsAt }: Starting, now: number): boolean {
  const isStopped = flag === 'closed' || flag === 'paused'
  return warmed && !isStopped && now >= startsAt - remindAheadMs - maxHeadStartMs && now < endsAt
}

/**
 * Returns how many of `waiting` reminders leave in the minute that begins at `now`: all that exceed the capacity of the
 * remaining minutes, so that a list of any length is finished about ten minutes before the start.
 */
export function remindersDue(waiting: number, startsAt: number, now: number): number {
  const minutesLeft = Math.max(0, Math.floor((startsAt - remindAheadMs - now) / 60_000))
  return Math.min(remindersPerMinute, Math.max(0, waiting - minutesLeft * remindersPerMinute))
}

/** Returns the number of waiting reminders that must be read for `remindersDue`. */
export function maxRemindersDue(startsAt: number, now: number): number {
  const minutesLeft = Math.max(0, Math.floor((startsAt - remindAheadMs - now) / 60_000))
  return (minutesLeft + 1) * remindersPerMinute
}

/** True when an email about returned units, handed over at `handedAt`, is still valid at `now` (epoch ms). */
export function canSendReturnNews({ flag, startsAt, endsAt }: Starting, handedAt: number, now: number): boolean {
  return flag === 'on' && now >= startsAt && now < endsAt && now < handedAt + returnNewsMs
}

/** Returns the number of emails in one minute about `available` returned units; at most `room` may leave. */
export function returnNewsDue(available: number, room: number): number {
  return Math.min(room, available * mailsPerUnit)
}
