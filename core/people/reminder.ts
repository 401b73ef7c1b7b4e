/**
 * A reminder of the start of a sale, which a shopper asks for with the button "Remind me": one e-mail about ten minutes
 * before the start of the window that the page showed.
 */
import * as z from 'zod/mini'
import type { SaleId } from '../ids.ts'
import { parseSaleId } from '../ids.ts'
import { type Language, languages } from '../language.ts'
import { readBy } from '../lib/parse.ts'
import type { Sale } from '../sale/sale.ts'

/** How long before the start the last reminder leaves, ms. */
export const remindAheadMs = 10 * 60_000

/** Ten a second: SES sends 14 a second by default, and e-mails about orders must not wait. */
export const remindersPerMinute = 600

/** The first reminders of a large list leave so much earlier at most, ms. */
export const longestHeadStartMs = 60 * 60_000

/** Evidence of a consent ends with it: so long after the end of the sale a reminder is deleted, ms. */
export const keptAfterSaleMs = 30 * 86_400_000

/** `ask` and `forget` are the shopper's wishes; `opened` reports that the link of the e-mail was followed. */
export const reminderRequest = z.strictObject(
  {
    saleId: readBy(parseSaleId, 'must be a sale id'),
    what: z.enum(['ask', 'forget', 'opened'], 'must be ask, forget or opened'),
    language: z.enum(languages, `must be one of ${languages.join(', ')}`),
  },
  'must be a JSON object',
)
export type ReminderRequest = z.infer<typeof reminderRequest>

/** `consent` is the text that the shopper agreed to, in `language`; `askedAt` is epoch ms. */
export type Reminder = { saleId: SaleId; askedAt: number; language: Language; consent: string }

type Starting = Pick<Sale, 'warmed' | 'flag' | 'startsAt' | 'endsAt'>

/** Whether shoppers may ask at `now` (epoch ms) to be reminded. */
export function takesReminders({ warmed, flag, startsAt }: Starting, now: number): boolean {
  return warmed && flag !== 'closed' && now < startsAt
}

/**
 * Whether reminders may leave at `now` (epoch ms). A paused sale waits: they leave when it is resumed before its window
 * ends.
 */
export function sendsReminders({ warmed, flag, startsAt, endsAt }: Starting, now: number): boolean {
  const isStopped = flag === 'closed' || flag === 'paused'
  return warmed && !isStopped && now >= startsAt - remindAheadMs - longestHeadStartMs && now < endsAt
}

/**
 * How many of `waiting` reminders leave in the minute that begins at `now`: all that the minutes until ten minutes before
 * the start cannot carry, so that a list of any length is done about then.
 */
export function remindersDue(waiting: number, startsAt: number, now: number): number {
  const minutesLeft = Math.max(0, Math.floor((startsAt - remindAheadMs - now) / 60_000))
  return Math.min(remindersPerMinute, Math.max(0, waiting - minutesLeft * remindersPerMinute))
}

/** The most of them that need to be read for that. */
export function mostRemindersDue(startsAt: number, now: number): number {
  const minutesLeft = Math.max(0, Math.floor((startsAt - remindAheadMs - now) / 60_000))
  return (minutesLeft + 1) * remindersPerMinute
}
