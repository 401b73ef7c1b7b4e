/** The e-mails of reminders: of a start, and of units that come back. A reminder is sent at most once. */
import * as z from 'zod/mini'
import type { ShopperId } from '../../core/ids.ts'
import { parse, whole } from '../../core/lib/parse.ts'
import { type HandedReminder, sendsReminders, sendsReturnNews } from '../../core/people/reminder.ts'
import type { Table } from '../lib/shop/table.ts'
import { keyPrefixes, shopperOfReminder } from '../table/keys.ts'
import {
  type DueMail,
  type MailedSale,
  type MailOption,
  type MailsOfShopper,
  shopperBy,
} from '../table/people/mail-option.ts'
import { isHandedOver, letWait, reminderOf, remindersOfShopper } from '../table/people/reminders.ts'

const image = z.object({
  pk: shopperBy(shopperOfReminder),
  sk: reminderOf,
  remindedFor: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
})

/** Shoppers who unsubscribe lose their reminders, so one that is there was asked for since. */
const rule = { mayRepeat: false, toUnsubscribed: true, besideCheckout: true }

export const reminderMails: MailOption = {
  what: 'a reminder',
  prefix: keyPrefixes.reminder,
  isMany: true,
  read(item) {
    const read = parse(image, item)
    if (!read.ok) return read
    const { pk: shopperId, sk, remindedFor } = read.value
    // Without a start it waits.
    return {
      ok: true,
      value: (now) => (remindedFor === undefined ? undefined : dueOf({ ...sk, shopperId, remindedFor }, now)),
    }
  },
  ofShopper: mailsOf,
}

function dueOf(handed: HandedReminder, now: number): DueMail {
  const { saleId, shopperId, about, remindedFor: at } = handed
  const of = { saleId, shopperId }
  const mail =
    about === 'return'
      ? ({ ...of, kind: 'units-back', handedAt: at } as const)
      : ({ ...of, kind: 'reminder', startsAt: at, isOpen: now >= at } as const)
  return { id: { ...of, at }, mail, rule, isStillDue: (table, sale, sentAt) => isStillDue(table, handed, sale, sentAt) }
}

/**
 * False for a reminder that its shopper has taken back, or whose sale has ended. One whose sale was paused or moved
 * after it was handed over waits again, and so do old news of units.
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
      ? sendsReturnNews(sale, remindedFor, now)
      : sale.startsAt === remindedFor && sendsReminders(sale, now)
  if (isTrue) return isHandedOver(table, handed)
  await letWait(table, handed)
  return false
}

const kinds = { start: 'reminder', return: 'units-back' } as const

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
