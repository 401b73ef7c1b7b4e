/** The operations on a shopper's own reminders, and for staff to count them. Times are epoch ms. */
import * as z from 'zod/mini'
import { saleRead } from '../../../core/api/operation-parts.ts'
import { changeProblems } from '../../../core/api/problem-sets.ts'
import { parseSaleId } from '../../../core/ids.ts'
import { readBy } from '../../../core/lib/parse.ts'
import { languageTag } from '../../../core/lib/text.ts'
import type { OperationsSeam } from '../../../core/seams.ts'
import { names, reminderSubjects } from './names.ts'

/** Limit of a request, which has the id of a sale, two words and a language. */
const maxReminderBytes = 256

const saleId = readBy(parseSaleId, 'must be a sale id')

/**
 * `email` is the address of the reminders, null when the shopper's sign-in has verified none. `consent` is the text that the
 * shopper agreed to; `sent`: the email has left.
 */
const remindersView = z.object({
  email: z.nullable(z.string()),
  reminders: z.readonly(
    z.array(
      z.object({
        saleId,
        about: z.enum(reminderSubjects),
        askedAt: z.number(),
        language: languageTag(),
        consent: z.string(),
        sent: z.boolean(),
      }),
    ),
  ),
})

/** `ask` and `forget` set and delete a reminder; `opened` reports that the link of the email was followed. */
const reminderRequest = z.strictObject(
  {
    saleId,
    about: z._default(z.enum(reminderSubjects, `must be one of ${reminderSubjects.join(', ')}`), 'start'),
    what: z.enum(['ask', 'forget', 'opened'], 'must be ask, forget or opened'),
    language: languageTag(),
  },
  'must be a JSON object',
)
export type ReminderRequest = z.infer<typeof reminderRequest>

const count = z.number()
const counted = z.object({ asked: count, sent: count, opened: count })

/**
 * How many shoppers asked to be reminded of the present window, how many emails were handed over, and how many signed-in
 * shoppers followed the link: for the `start`, and for the `return` of units, where a shopper who asks again counts as not
 * sent.
 */
const reach = z.object({ start: counted, return: counted })
export type Reach = z.infer<typeof reach>

const own = { path: '/api/reminders', answer: remindersView } as const
const problems = [...changeProblems, 'not-found'] as const

export const operations = {
  /** `not-found`: the shop sends no emails. */
  getReminders: { ...own, method: 'GET', problems },
  /** Sets or deletes a reminder of a sale, or reports that the link of its email was followed. */
  changeReminder: {
    ...own,
    method: 'PUT',
    body: { maxBytes: maxReminderBytes, schema: reminderRequest },
    problems: [...problems, 'conflict'],
  },
  getReach: { ...names.routes.getReach, answer: reach, ...saleRead },
} as const satisfies OperationsSeam

export type RemindersView = z.infer<typeof remindersView>
