/**
 * The reminders of a person, in an export and an erasure; their e-mails, of a start and of units that come back, each sent at
 * most once; and what hands them to `mail`, as many in a minute as the service of e-mails takes: those of sales that start
 * soon, and of those whose units come back. Each is handed over once by a condition of the table, so a run that is cut off,
 * or two at once, do no harm.
 */
import * as z from 'zod/mini'
import { parseShopperId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { parse, whole } from '../../../core/lib/parse.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import { pagePath } from '../../../core/sale/pointer.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import type { PersonOption } from '../../../functions/people/person-items.ts'
import type { LookAtSale, ScheduledOption, ScheduledPorts } from '../../../functions/sales/scheduled-option.ts'
import type { ListEntry } from '../../../functions/table/list.ts'
import {
  type DueMail,
  type MailedSale,
  type MailOption,
  type MailsOfShopper,
  shopperBy,
} from '../../../functions/table/people/mail-option.ts'
import { allOf } from '../../../functions/table/query.ts'
import { salesStartingWithin } from '../../../functions/table/sale/sale-lists.ts'
import { isBeingChecked, ordersOfShopper, type StockFacts } from '../../../redis/stock/stock.ts'
import type { WritePart } from '../../../templates/mails/content.ts'
import { openedMarks, type ReminderSubject } from '../core/option.ts'
import {
  type HandedReminder,
  longestHeadStartMs,
  mostRemindersDue,
  remindAheadMs,
  remindersDue,
  remindersPerMinute,
  returnNewsDue,
  sendsReminders,
  sendsReturnNews,
} from '../core/reminder.ts'
import { readReminderKey, reminderPrefix, remindersOf, shopperOfReminder } from './keys.ts'
import {
  deleteRemindersOf,
  endReminder,
  handOver,
  isHandedOver,
  letWait,
  reminderOf,
  remindersOfShopper,
  waitingReminders,
} from './reminder-items.ts'

const ofPerson: PersonOption = {
  ...{ kind: 'reminder', part: 'reminders', fate: () => 'erase' },
  async find(table: Table, shopperId: ShopperId) {
    const items = await allOf(table, remindersOf(shopperId))
    return items.map((item) => ({ item, facts: readReminderKey(String(item.sk)) }))
  },
}

export const items = [ofPerson] as const

const image = z.object({
  pk: shopperBy(shopperOfReminder),
  sk: reminderOf,
  remindedFor: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
})

/** Shoppers who unsubscribe lose their reminders, so one that is there was asked for since. */
const rule = { mayRepeat: false, toUnsubscribed: true, besideCheckout: true }

const reminders: MailOption = {
  what: 'a reminder',
  prefix: reminderPrefix,
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
  forget: deleteRemindersOf,
  ofShopper: mailsOf,
}

export const mails = [reminders] as const

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

/** What a report of orders counts them under, and the part of the address by which the page knows that it was opened. */
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

/** A run that was woken would send more in a minute than the service takes. */
const perMinute: ScheduledOption = {
  part: 'reminders',
  isWoken: false,
  begin(ports) {
    const room = roomOfRun()
    return { run: () => remindShoppers(ports, room), look: returnNotes(ports, room) }
  },
}

export const scheduled = [perMinute] as const

/** How many reminders may still leave in a run of a minute. */
export type MailRoom = { left: number }

export const roomOfRun = (): MailRoom => ({ left: remindersPerMinute })

/** A sale that is resumed within so much time after its start still reminds its shoppers, ms. */
const latestMs = 3_600_000

/** Writes at once. */
const atOnce = 20

/**
 * For one run of a minute; the sale that starts first comes first. Does nothing where no e-mails are sent.
 * @throws when the table is unavailable; what was not handed over is left for the next run
 */
export async function remindShoppers(ports: ScheduledPorts, room: MailRoom): Promise<void> {
  const { table, clock, log, sendsMails } = ports
  if (!sendsMails) return
  const now = clock()
  const until = now + remindAheadMs + longestHeadStartMs
  for (const sale of await salesStartingWithin(table, now - latestMs, until)) {
    if (room.left === 0) return
    if (!sendsReminders(sale, now)) continue
    const waiting = await waitingReminders(table, sale, 'start', mostRemindersDue(sale.startsAt, now))
    const due = waiting.slice(0, Math.min(room.left, remindersDue(waiting.length, sale.startsAt, now)))
    if (due.length === 0) continue
    room.left -= due.length
    const handed = await handAllOver(ports, due, sale.startsAt)
    log.info('reminders handed over', { saleId: sale.saleId, reminders: handed })
  }
}

async function handAllOver({ table }: ScheduledPorts, due: readonly ListEntry[], remindedFor: number): Promise<number> {
  let handed = 0
  for (const some of slicesOf(due, atOnce)) {
    const done = await Promise.all(
      some.map(async (entry) => {
        const shopperId = parseShopperId(shopperOfReminder(entry.pk))
        return shopperId !== undefined && handOver(table, entry, shopperId, remindedFor)
      }),
    )
    handed += done.filter(Boolean).length
  }
  return handed
}

/**
 * For the looks of one run at running sales. Where units are left of a window that had sold out, the next shoppers who
 * asked for it learn so: ten a minute for each unit.
 */
export function returnNotes(ports: ScheduledPorts, room: MailRoom): LookAtSale {
  const { clock, log } = ports
  const looked = new Set<SaleId>()
  return async (sale, { stock, gate }) => {
    const { saleId } = sale
    const available = unitsIn(stock)
    const { soldOutRevision = -1, restockedRevision = -1 } = gate ?? {}
    const isBack = soldOutRevision >= 0 && restockedRevision > soldOutRevision && available > 0
    const now = clock()
    if (!ports.sendsMails || !isBack || looked.has(saleId) || !sendsReturnNews(sale, now, now)) return
    looked.add(saleId)
    const most = returnNewsDue(available, room.left)
    if (most === 0) return
    room.left -= most
    const chosen = await chooseForReturn(ports, sale, most)
    const handed = await handAllOver(ports, chosen, now)
    room.left += most - handed
    if (handed > 0) log.info('shoppers learn of units', { saleId, reminders: handed })
  }
}

/** Units for sale; none while some are checked, and of an unlimited stock, whose number is -1. */
function unitsIn(stock: StockFacts | undefined): number {
  return stock === undefined || stock.frozen || isBeingChecked(stock) ? 0 : stock.available
}

/**
 * Which of the shoppers who wait for units of `sale` learn of them next, `most` of them: those who asked first. The
 * reminder of a shopper who has units of it, or an order on its way, ends.
 */
async function chooseForReturn(
  { table, stock, clock }: ScheduledPorts,
  sale: Sale,
  most: number,
): Promise<readonly ListEntry[]> {
  const chosen: ListEntry[] = []
  for (const some of slicesOf(await waitingReminders(table, sale, 'return', most), atOnce)) {
    const has = await Promise.all(
      some.map(async ({ pk }) => {
        const shopperId = parseShopperId(shopperOfReminder(pk))
        const orders = shopperId === undefined ? [] : await ordersOfShopper(stock, sale.saleId, shopperId)
        return orders.some(({ quantity }) => quantity > 0)
      }),
    )
    chosen.push(...some.filter((_, i) => has[i] === false))
    const ended = some.filter((_, i) => has[i])
    await Promise.all(ended.map((entry) => endReminder(table, entry, clock())))
  }
  return chosen
}
