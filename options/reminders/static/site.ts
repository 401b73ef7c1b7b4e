/** Adds the script of the reminder dialog with its texts to the site, and describes the API of reminders. */
import type { SiteSeam } from '../../../static/seams.ts'
import { patternsIn } from '../../../templates/messages/patterns.ts'
import { words } from '../../../templates/messages/text.ts'
import { remindMessages } from './messages/catalogues.ts'

const reminders = {
  email: 'ann@example.com',
  reminders: [
    {
      ...{
        saleId: 'stoneware-mug',
        about: 'start',
        askedAt: Date.UTC(2027, 0, 15, 11, 59),
        language: 'en',
        sent: false,
      },
      consent: words(remindMessages['remind.consent'], 'en'),
    },
  ],
}

const texts = {
  getReminders: { tag: 'personal', summary: 'Read one’s reminders', examples: { answer: reminders } },
  changeReminder: {
    ...{ tag: 'personal', summary: 'Ask to be reminded of a sale or of units that come back' },
    description:
      '`what` is `ask`, `forget`, or `opened` once the link of the email was followed. Asking is consent to one email; the answer has its text. `about` is `start` for an email before the start, `return` for one when units of a sold-out window come back. `conflict`: the sale sends no such email at this time, the shop sends no emails, or the shopper’s sign-in has verified no address (`field` is `email`).',
    examples: {
      body: { saleId: 'stoneware-mug', about: 'start', what: 'ask', language: 'en' },
      answer: reminders,
    },
  },
  getReach: {
    ...{ tag: 'staff', summary: 'Read how many shoppers asked for reminders of a sale' },
    examples: {
      answer: { start: { asked: 412, sent: 412, opened: 188 }, return: { asked: 36, sent: 20, opened: 9 } },
    },
  },
} as const satisfies SiteSeam['texts']

export const site = {
  scripts: ['remind-dialog'],
  words: { remind: patternsIn(remindMessages) },
  texts,
} satisfies SiteSeam
