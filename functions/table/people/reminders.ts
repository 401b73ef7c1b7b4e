/**
 * Reminders of sales in DynamoDB. The list of a window has them in the order of the start that they were sent for, so
 * those that wait come first, also after the start was moved to a later time.
 */
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { parseSaleId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { languages } from '../../../core/language.ts'
import { parse, readBy } from '../../../core/lib/parse.ts'
import type { Reminder } from '../../../core/people/reminder.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { hasHeld, type Table, UnexpectedItem } from '../dynamodb.ts'
import { reminderKey, reminderList, reminderPlace, remindersOf, saleStart } from '../keys.ts'
import { type ListEntry, readEntries } from '../list.ts'
import { type Item, queryAll } from '../query.ts'
import { isKept } from './sealed-item.ts'

const stored = z.object({
  sk: readBy(parseSaleId, 'must name a sale'),
  askedAt: z.number(),
  language: z.enum(languages),
  consent: z.string(),
  remindedFor: z.optional(z.number()),
  windowIndex: z.number(),
})

type SaleWindow = Pick<Sale, 'saleId' | 'windowIndex' | 'startsAt'>

/**
 * Keeps the reminder until `expiresAt`, epoch ms. One that is there for this window or a later one stays as it is, sent or not.
 * @throws when the table is unavailable
 */
export async function addReminder(
  { client, name }: Table,
  shopperId: ShopperId,
  { saleId, windowIndex }: Pick<Sale, 'saleId' | 'windowIndex'>,
  { expiresAt, ...reminder }: Omit<Reminder, 'saleId'> & { expiresAt: number },
): Promise<void> {
  const put = new PutCommand({
    TableName: name,
    Item: {
      ...reminderKey(shopperId, saleId),
      ...reminder,
      windowIndex,
      listPk: reminderList(saleId, windowIndex),
      listSk: reminderPlace(0, shopperId),
      expiresAt: Math.ceil(expiresAt / 1000),
    },
    ConditionExpression: 'attribute_not_exists(pk) OR windowIndex < :window OR expiresAt <= :now',
    ExpressionAttributeValues: { ':window': windowIndex, ':now': Math.floor(reminder.askedAt / 1000) },
  })
  await hasHeld(client.send(put))
}

/** The shopper's reminders at `now` (epoch ms), with what the table notes of each. @throws when the table is unavailable */
export async function remindersOfShopper(
  table: Table,
  shopperId: ShopperId,
  now: number,
): Promise<readonly StoredReminder[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :shopper',
    ExpressionAttributeValues: { ':shopper': remindersOf(shopperId) },
    ConsistentRead: true,
  })
  return items.filter((item) => isKept(item, now)).map(readReminder)
}

/** `remindedFor` is the start (epoch ms) that the e-mail was sent for. */
type StoredReminder = Reminder & { windowIndex: number; remindedFor?: number | undefined }

function readReminder(item: Item): StoredReminder {
  const read = parse(stored, item)
  if (!read.ok) throw new UnexpectedItem('a reminder', read.detail)
  const { sk: saleId, ...rest } = read.value
  return { saleId, ...rest }
}

/** Safe to repeat. @throws when the table is unavailable */
export async function deleteReminder(
  { client, name }: Table,
  shopperId: ShopperId,
  saleId: SaleId,
): Promise<void> {
  await client.send(new DeleteCommand({ TableName: name, Key: reminderKey(shopperId, saleId) }))
}

/** All of the shopper. Safe to repeat. @throws when the table is unavailable; some may be deleted */
export async function deleteRemindersOf(table: Table, shopperId: ShopperId): Promise<void> {
  // Expired ones, too: DynamoDB deletes them within days.
  for (const { saleId } of await remindersOfShopper(table, shopperId, 0))
    await deleteReminder(table, shopperId, saleId)
}

/** At most `limit` of those that were not sent for the present start; the list lags a moment behind. */
export function waitingReminders(
  table: Table,
  { saleId, windowIndex, startsAt }: SaleWindow,
  limit: number,
): Promise<readonly ListEntry[]> {
  return readEntries(table, reminderList(saleId, windowIndex), {
    ...{ before: saleStart(startsAt), limit },
    isAscending: true,
  })
}

/**
 * Notes that the reminder of that entry leaves for the start at `startsAt`: the stream of the table hands the change to
 * `mail`. False when it was noted or deleted meanwhile, so each is handed over once.
 * @throws when the table is unavailable
 */
export async function handOver(
  { client, name }: Table,
  { pk, sk, listSk }: ListEntry,
  shopperId: ShopperId,
  startsAt: number,
): Promise<boolean> {
  const update = new UpdateCommand({
    TableName: name,
    Key: { pk, sk },
    UpdateExpression: 'SET remindedFor = :start, listSk = :place',
    ConditionExpression: 'listSk = :seen',
    ExpressionAttributeValues: {
      ':start': startsAt,
      ':place': reminderPlace(startsAt, shopperId),
      ':seen': listSk,
    },
  })
  return hasHeld(client.send(update))
}

/** Whether the reminder is there and leaves for that start: its shopper may have taken it back. Strongly consistent. */
export async function isHandedOver(
  { client, name }: Table,
  shopperId: ShopperId,
  saleId: SaleId,
  startsAt: number,
): Promise<boolean> {
  const get = new GetCommand({
    TableName: name,
    Key: reminderKey(shopperId, saleId),
    ConsistentRead: true,
  })
  return (await client.send(get)).Item?.remindedFor === startsAt
}

/** Lets a reminder wait again that was handed over for the start at `startsAt` and not sent. Safe to repeat. */
export async function letWait(
  { client, name }: Table,
  shopperId: ShopperId,
  saleId: SaleId,
  startsAt: number,
): Promise<void> {
  const update = new UpdateCommand({
    TableName: name,
    Key: reminderKey(shopperId, saleId),
    UpdateExpression: 'SET listSk = :place REMOVE remindedFor',
    ConditionExpression: 'remindedFor = :start',
    ExpressionAttributeValues: { ':start': startsAt, ':place': reminderPlace(0, shopperId) },
  })
  await hasHeld(client.send(update))
}

/** Notes that the link of the e-mail was followed; without effect where none was sent. Safe to repeat. */
export async function recordOpened(
  table: Table,
  shopperId: ShopperId,
  { saleId, remindedFor }: StoredReminder,
): Promise<void> {
  if (remindedFor === undefined) return
  const update = new UpdateCommand({
    TableName: table.name,
    Key: reminderKey(shopperId, saleId),
    UpdateExpression: 'SET listSk = :place',
    ConditionExpression: 'remindedFor = :start',
    ExpressionAttributeValues: {
      ':start': remindedFor,
      ':place': reminderPlace(remindedFor, shopperId, true),
    },
  })
  await hasHeld(table.client.send(update))
}

/**
 * How many shoppers asked to be reminded of the present window, how many reminders were handed to `mail` for its present
 * start, and how many links were followed by a signed-in shopper. It reads a key of each.
 */
export async function countReminders(
  table: Table,
  { saleId, windowIndex, startsAt }: SaleWindow,
): Promise<{ asked: number; sent: number; opened: number }> {
  const places = (await readEntries(table, reminderList(saleId, windowIndex))).map(({ listSk }) => listSk)
  return {
    asked: places.length,
    sent: places.filter((place) => place >= saleStart(startsAt)).length,
    opened: places.filter((place) => place.endsWith('#opened')).length,
  }
}
