/**
 * Reminders of sales in DynamoDB. The list of a window has them in the order of `remindedFor`, so waiting ones are first, also
 * after the start was postponed. Reminders of returned units have a separate list.
 */
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { parseSaleId, type ShopperId } from '../../../core/ids.ts'
import { readBy } from '../../../core/lib/parse.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { conditionHeld, findItem, readStored, updateIf } from '../../../functions/table/dynamodb.ts'
import { saleStart } from '../../../functions/table/keys.ts'
import { type ListEntry, readEntries } from '../../../functions/table/list.ts'
import { isKept } from '../../../functions/table/people/sealed-item.ts'
import { type Item, queryPartition } from '../../../functions/table/query.ts'
import { type ReminderSubject, reminderSubjects } from '../core/names.ts'
import { type HandedReminder, type Reminder, repeatedWithinMs } from '../core/reminder.ts'
import { readReminderKey, reminderKey, reminderList, reminderPlace, remindersOf, waitingPlace } from './keys.ts'

/** The sale in the key of a reminder, and what the reminder is about. */
export const reminderOf = z.pipe(
  z.pipe(z.string(), z.transform(readReminderKey)),
  z.object({ saleId: readBy(parseSaleId, 'must name a sale'), about: z.enum(reminderSubjects) }),
)

const stored = z.object({
  sk: reminderOf,
  askedAt: z.number(),
  language: z.string(),
  consent: z.string(),
  remindedFor: z.optional(z.number()),
  windowIndex: z.number(),
})

type SaleWindow = Pick<Sale, 'saleId' | 'windowIndex' | 'startsAt'>
/** Identifies a reminder of a shopper. */
type ReminderId = Pick<Reminder, 'saleId' | 'about'>

/**
 * Saves the reminder until `expiresAt`, epoch ms. An existing one for this window or a later one does not change, sent or not.
 * But units may come back several times, so a shopper may set that reminder again a minute after the email has left.
 * @throws when the table is unavailable
 */
export async function addReminder(
  { client, name }: Table,
  shopperId: ShopperId,
  { windowIndex }: Pick<Sale, 'windowIndex'>,
  { expiresAt, saleId, about, ...reminder }: Reminder & { expiresAt: number },
): Promise<void> {
  const { askedAt } = reminder
  const isAnswered = about === 'return' ? ' OR remindedFor < :answered' : ''
  const put = new PutCommand({
    TableName: name,
    Item: {
      ...reminderKey(shopperId, { saleId, about }),
      ...reminder,
      windowIndex,
      listPk: reminderList(saleId, windowIndex, about),
      listSk: waitingPlace(askedAt, shopperId),
      expiresAt: Math.ceil(expiresAt / 1000),
    },
    ConditionExpression: `attribute_not_exists(pk) OR windowIndex < :window OR expiresAt <= :now${isAnswered}`,
    ExpressionAttributeValues: {
      ':window': windowIndex,
      ':now': Math.floor(askedAt / 1000),
      ...(about === 'return' && { ':answered': askedAt - repeatedWithinMs }),
    },
  })
  await conditionHeld(client.send(put))
}

/** Returns the shopper's reminders at `now` (epoch ms), with their state. @throws when the table is unavailable */
export async function remindersOfShopper(
  table: Table,
  shopperId: ShopperId,
  now: number,
): Promise<readonly StoredReminder[]> {
  const items = await queryPartition(table, remindersOf(shopperId))
  return items.filter((item) => isKept(item, now)).map(readReminder)
}

/** `remindedFor` (epoch ms) is the start that the email was sent for, or when it was handed over. */
type StoredReminder = Reminder & { windowIndex: number; remindedFor?: number | undefined }

function readReminder(item: Item): StoredReminder {
  const { sk, ...rest } = readStored('a reminder', stored, item)
  return { ...sk, ...rest }
}

/** Deletes a reminder. Safe to repeat. @throws when the table is unavailable */
export async function deleteReminder(
  { client, name }: Table,
  shopperId: ShopperId,
  reminder: ReminderId,
): Promise<void> {
  await client.send(new DeleteCommand({ TableName: name, Key: reminderKey(shopperId, reminder) }))
}

/** Deletes all reminders of the shopper. Safe to repeat. @throws when the table is unavailable; some may be deleted */
export async function deleteRemindersOf(table: Table, shopperId: ShopperId): Promise<void> {
  // This includes expired ones, which DynamoDB deletes only within days.
  for (const reminder of await remindersOfShopper(table, shopperId, 0)) await deleteReminder(table, shopperId, reminder)
}

/** Returns the first place of sent reminders on a list. */
const firstSent = (about: ReminderSubject, { startsAt }: SaleWindow): string =>
  saleStart(about === 'start' ? startsAt : 1)

/** Returns at most `limit` reminders that were not sent for the present start, or for units. The list lags a moment behind. */
export function waitingReminders(
  table: Table,
  sale: SaleWindow,
  about: ReminderSubject,
  limit: number,
): Promise<readonly ListEntry[]> {
  return readEntries(table, reminderList(sale.saleId, sale.windowIndex, about), {
    ...{ before: firstSent(about, sale), limit },
    isAscending: true,
  })
}

/**
 * Hands a reminder over: records `remindedFor`, and the table's stream delivers the change to `mail`. False when it was handed
 * over or deleted meanwhile, so each is handed over at most once.
 * @throws when the table is unavailable
 */
export async function handOver(
  table: Table,
  { pk, sk, listSk }: ListEntry,
  shopperId: ShopperId,
  remindedFor: number,
): Promise<boolean> {
  return updateIf(table, {
    Key: { pk, sk },
    UpdateExpression: 'SET remindedFor = :start, listSk = :place',
    ConditionExpression: 'listSk = :seen',
    ExpressionAttributeValues: {
      ':start': remindedFor,
      ':place': reminderPlace(remindedFor, shopperId),
      ':seen': listSk,
    },
  })
}

/** Ends a waiting reminder that is no longer needed at `now` (epoch ms). Safe to repeat. */
export async function endReminder(table: Table, { pk, sk, listSk }: ListEntry, now: number): Promise<void> {
  await updateIf(table, {
    Key: { pk, sk },
    UpdateExpression: 'SET expiresAt = :now REMOVE listPk, listSk',
    ConditionExpression: 'listSk = :seen',
    ExpressionAttributeValues: { ':now': Math.floor(now / 1000), ':seen': listSk },
  })
}

/** True when the reminder is still handed over for that time; its shopper may have deleted it. Strongly consistent. */
export async function isHandedOver(table: Table, handed: HandedReminder): Promise<boolean> {
  const item = await findItem(table, reminderKey(handed.shopperId, handed))
  return item?.remindedFor === handed.remindedFor
}

/** Queues a reminder again that was handed over and not sent. Safe to repeat. */
export async function requeueReminder(table: Table, handed: HandedReminder): Promise<void> {
  await updateIf(table, {
    Key: reminderKey(handed.shopperId, handed),
    UpdateExpression: 'SET listSk = :place REMOVE remindedFor',
    ConditionExpression: 'remindedFor = :start',
    ExpressionAttributeValues: { ':start': handed.remindedFor, ':place': waitingPlace(0, handed.shopperId) },
  })
}

/** Records that the link of the email was followed; a no-op if none was sent. Safe to repeat. */
export async function recordOpened(
  table: Table,
  shopperId: ShopperId,
  { remindedFor, ...reminder }: StoredReminder,
): Promise<void> {
  if (remindedFor === undefined) return
  await updateIf(table, {
    Key: reminderKey(shopperId, reminder),
    UpdateExpression: 'SET listSk = :place',
    ConditionExpression: 'remindedFor = :start',
    ExpressionAttributeValues: { ':start': remindedFor, ':place': reminderPlace(remindedFor, shopperId, true) },
  })
}

/**
 * Counts the reminders of the present window: how many were set, how many were handed to `mail` for its present start or for
 * units, and how many links signed-in shoppers followed. It reads a key of each.
 */
export async function countReminders(
  table: Table,
  sale: SaleWindow,
  about: ReminderSubject,
): Promise<{ asked: number; sent: number; opened: number }> {
  const list = reminderList(sale.saleId, sale.windowIndex, about)
  const places = (await readEntries(table, list)).map(({ listSk }) => listSk)
  return {
    asked: places.length,
    sent: places.filter((place) => place >= firstSent(about, sale)).length,
    opened: places.filter((place) => place.endsWith('#opened')).length,
  }
}
