/** Reminders in the export and erasure of personal data, and their emails, each sent at most once. */
import * as z from 'zod/mini'
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import { parse, whole } from '../../../core/lib/parse.ts'
import { pagePath } from '../../../core/sale/pointer.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import type { PeopleSeam, PersonOption } from '../../../functions/people/person-items.ts'
import {
  type DueMail,
  type MailedSale,
  type MailOption,
  type MailsOfShopper,
  shopperBy,
} from '../../../functions/table/people/mail-option.ts'
import { queryPartition } from '../../../functions/table/query.ts'
import type { WritePart } from '../../../templates/mails/content.ts'
import { openedMarks, type ReminderSubject } from '../core/names.ts'
import { canSendReminders, canSendReturnNews, type HandedReminder } from '../core/reminder.ts'
import { readReminderKey, reminderPrefix, remindersOf, shopperOfReminder } from './keys.ts'
import { deleteRemindersOf, isHandedOver, reminderOf, remindersOfShopper, requeueReminder } from './reminder-items.ts'

const ofPerson: PersonOption = {
  ...{ kind: 'reminder', part: 'reminders', outcome: () => 'erase' },
  async find(table: Table, shopperId: ShopperId) {
    const items = await queryPartition(table, remindersOf(shopperId))
    return items.map((item) => ({ item, facts: readReminderKey(String(item.sk)) }))
  },
}

const image = z.object({
  pk: shopperBy(shopperOfReminder),
  sk: reminderOf,
  remindedFor: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
})

/** Unsubscribing deletes reminders, so an existing one was set afterwards. */
const rule = { mayRepeat: false, toUnsubscribed: true, besideCheckout: true }

const reminders: MailOption = {
  what: 'a reminder',
  prefix: reminderPrefix,
  isMany: true,
  read(item) {
    const read = parse(image, item)
    if (!read.ok) return read
    const { pk: shopperId, sk, remindedFor } = read.value
    // Without `remindedFor` it was not handed over.
    return {
      ok: true,
      value: (now) => (remindedFor === undefined ? undefined : dueOf({ ...sk, shopperId, remindedFor }, now)),
    }
  },
  forget: deleteRemindersOf,
  ofShopper: mailsOf,
}

const kinds = { start: 'reminder', return: 'units-back' } as const

function dueOf(handed: HandedReminder, now: number): DueMail {
  const { saleId, shopperId, about, remindedFor: at } = handed
  const of = { saleId, shopperId }
  return {
    ...{ id: { ...of, at }, mail: { ...of, kind: kinds[about] }, rule },
    write: about === 'return' ? returnPart(saleId) : startPart(saleId, at, now >= at),
    isStillDue: (table, sale, sentAt) => isStillDue(table, handed, sale, sentAt),
  }
}

/** The source under which the report counts orders, and the fragment by which the page knows that the link was followed. */
const endings = {
  start: `?utm_source=reminder${openedMarks.start}`,
  return: `?utm_source=return${openedMarks.return}`,
}
const pathOf = (saleId: SaleId, about: ReminderSubject) => `/${pagePath(saleId)}`.replace('index.html', endings[about])

const startPart =
  (saleId: SaleId, startsAt: number, isOpen: boolean): WritePart =>
  ({ say, moment }, _, args) => {
    const time = moment(startsAt)
    return {
      leads: [say(isOpen ? 'mail.lead.reminder-open' : 'mail.lead.reminder', { ...args, time })],
      facts: [['startsAt', time]],
      button: say('mail.toSale'),
      path: pathOf(saleId, 'start'),
    }
  }

const returnPart =
  (saleId: SaleId): WritePart =>
  ({ say }, _, args) => ({
    leads: [say('mail.lead.units-back', args)],
    ...{ facts: [], button: say('mail.toSale'), path: pathOf(saleId, 'return') },
  })

/**
 * True when a handed-over reminder may still be sent. False if its shopper deleted it or the sale ended. If the sale was paused
 * or moved, or the news about units is too old, the reminder is queued again.
 */
async function isStillDue(
  table: Table,
  handed: HandedReminder,
  sale: MailedSale | undefined,
  now: number,
): Promise<boolean> {
  if (sale === undefined || sale.flag === 'closed' || now >= sale.endsAt) return false
  const { about, remindedFor } = handed
  const isTrue =
    about === 'return'
      ? canSendReturnNews(sale, remindedFor, now)
      : sale.startsAt === remindedFor && canSendReminders(sale, now)
  if (isTrue) return isHandedOver(table, handed)
  await requeueReminder(table, handed)
  return false
}

async function mailsOf(table: Table, shopperId: ShopperId, now: number): Promise<MailsOfShopper> {
  const reminders = await remindersOfShopper(table, shopperId, now)
  return {
    asked: reminders.flatMap(({ saleId, about, askedAt, remindedFor }) =>
      remindedFor === undefined ? [{ about: saleId, kind: kinds[about], at: askedAt }] : [],
    ),
    sent: reminders.flatMap(({ saleId, about, remindedFor: at }) =>
      at === undefined ? [] : [{ saleId, shopperId, at, about: saleId, kind: kinds[about] }],
    ),
  }
}

export const people = { items: [ofPerson], mails: [reminders] } satisfies PeopleSeam
