/** The operations of a shopper's own reminders, and of staff who count them. Times are epoch ms. */
import * as z from 'zod/mini'
import type { FullOperation } from '../../../core/api/operation.ts'
import { saleRead } from '../../../core/api/operation-parts.ts'
import { changeProblems } from '../../../core/api/problem-sets.ts'
import { parseSaleId } from '../../../core/ids.ts'
import { readBy } from '../../../core/lib/parse.ts'
import { languageTag } from '../../../core/lib/text.ts'
import { controlAnswers } from './answers.ts'
import { reminderSubjects } from './option.ts'
import { reminderRequest } from './reminder.ts'

/** A request has the id of a sale, two words and a language, with their names. */
const maxReminderBytes = 256

/**
 * `email` is where they go, null when the sign-in of the shopper has verified no address. Each has the text that the
 * shopper has agreed to; `sent`: the e-mail has left.
 */
const remindersView = z.object({
  email: z.nullable(z.string()),
  reminders: z.readonly(
    z.array(
      z.object({
        saleId: readBy(parseSaleId, 'must be a sale id'),
        about: z.enum(reminderSubjects),
        askedAt: z.number(),
        language: languageTag(),
        consent: z.string(),
        sent: z.boolean(),
      }),
    ),
  ),
})

const own = { path: '/api/reminders', answer: remindersView } as const

export const operations = {
  /** `not-found`: the shop sends no e-mails. */
  getReminders: { ...own, method: 'GET', problems: [...changeProblems, 'not-found'] },
  /** Asks for a reminder of a sale, takes it back, or reports that the link of its e-mail was followed. */
  changeReminder: {
    ...own,
    method: 'PUT',
    body: { maxBytes: maxReminderBytes, schema: reminderRequest },
    problems: [...changeProblems, 'not-found', 'conflict'],
  },
} as const satisfies Record<string, FullOperation>

export const controlOperations = {
  getReach: { ...controlAnswers.getReach, ...saleRead },
} as const satisfies Record<string, FullOperation>

export type RemindersView = z.infer<typeof remindersView>
