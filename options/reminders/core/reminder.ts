/**
 * A reminder of a sale, which a shopper asks for on its page: one e-mail about ten minutes before the start of the
 * window that the page showed, or one when units of a sold-out window come back.
 */
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import type { Language } from '../../../core/language.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { ReminderSubject } from './names.ts'

/** How long before the start the last reminder leaves, ms. */
export const remindAheadMs = 10 * 60_000

/** Ten a second: SES sends 14 a second by default, and e-mails about orders must not wait. */
export const remindersPerMinute = 600

/** The first reminders of a large list leave so much earlier at most, ms. */
export const maxHeadStartMs = 60 * 60_000

/** How many shoppers learn in a minute of each unit that has come back: most of them are not at their mail then. */
const mailsPerUnit = 10

/** An e-mail about units that left so much earlier is not sent any more, ms: they may be gone. */
const returnNewsMs = 10 * 60_000

/** A request that comes so soon after the e-mail left repeats the one that was answered with it, ms. */
export const repeatedWithinMs = 60_000

/** Evidence of a consent ends with it: so long after the end of the sale a reminder is deleted, ms. */
export const keptAfterSaleMs = 30 * 86_400_000

/** `consent` is the text that the shopper agreed to, in `language`; `askedAt` is epoch ms. */
export type Reminder = { saleId: SaleId; about: ReminderSubject; askedAt: number; language: Language; consent: string }

/** A reminder that leaves: `remindedFor` (epoch ms) is the start that it is sent for, or when units were seen. */
export type HandedReminder = Pick<Reminder, 'saleId' | 'about'> & { shopperId: ShopperId; remindedFor: number }

type Starting = Pick<Sale, 'warmed' | 'flag' | 'startsAt' | 'endsAt'>

/**
 * Whether shoppers may ask at `now` (epoch ms) for a reminder of that kind: of the start before it, and of units while
 * the window runs. Red packets do not come back, and an unlimited stock has no need to.
 */
export function takesReminders(
  { warmed, flag, startsAt, endsAt, kind, stock }: Starting & Pick<Sale, 'kind' | 'stock'>,
  about: ReminderSubject,
  now: number,
): boolean {
  if (!warmed || flag === 'closed') return false
  if (about === 'start') return now < startsAt
  return kind !== 'red-packet' && stock !== -1 && now >= startsAt && now < endsAt
}

/** Whether reminders may leave at `now` (epoch ms). Those of a paused sale wait until it is resumed in its window. */
export function sendsReminders({ warmed, flag, startsAt, endsAt }: Starting, now: number): boolean {
  const isStopped = flag === 'closed' || flag === 'paused'
  return warmed && !isStopped && now >= startsAt - remindAheadMs - maxHeadStartMs && now < endsAt
}

/**
 * How many of `waiting` reminders leave in the minute that begins at `now`: all that the minutes until ten minutes
 * before the start cannot carry, so that a list of any length is done about then.
 */
export function remindersDue(waiting: number, startsAt: number, now: number): number {
  const minutesLeft = Math.max(0, Math.floor((startsAt - remindAheadMs - now) / 60_000))
  return Math.min(remindersPerMinute, Math.max(0, waiting - minutesLeft * remindersPerMinute))
}

/** The most of them that need to be read for that. */
export function maxRemindersDue(startsAt: number, now: number): number {
  const minutesLeft = Math.max(0, Math.floor((startsAt - remindAheadMs - now) / 60_000))
  return (minutesLeft + 1) * remindersPerMinute
}

/** Whether an e-mail about units that came back, handed over at `handedAt`, is still true at `now` (epoch ms). */
export function sendsReturnNews({ flag, startsAt, endsAt }: Starting, handedAt: number, now: number): boolean {
  return flag === 'on' && now >= startsAt && now < endsAt && now < handedAt + returnNewsMs
}

/** How many shoppers learn in one minute that `available` units have come back, where `room` e-mails may leave in it. */
export function returnNewsDue(available: number, room: number): number {
  return Math.min(room, available * mailsPerUnit)
}
