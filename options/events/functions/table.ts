/**
 * The items of events in the table: the endpoints, in one partition; pending events, an item for each endpoint and order or
 * sale, on a list of the endpoint by the time of the next try; the records of finished events; and the steps of each sale (when
 * it opened, sold out and ended, and its share of the shop's stock), from whose changes the events of the sale follow.
 */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { parseSaleId, type SaleId } from '../../../core/ids.ts'
import { readBy } from '../../../core/lib/parse.ts'
import { retry } from '../../../functions/lib/retry.ts'
import type { ShopContext, Table } from '../../../functions/lib/shop/shop.ts'
import { readBatch } from '../../../functions/table/batch.ts'
import { conditionHeld, findItem, readStored, updateIf } from '../../../functions/table/dynamodb.ts'
import { listIndex } from '../../../functions/table/keys.ts'
import { type NamedRecord, namedRecords } from '../../../functions/table/named-records.ts'
import { type Item, queryPages } from '../../../functions/table/query.ts'
import { transact } from '../../../functions/table/transaction.ts'
import { maxEndpoints } from '../core/endpoint.ts'
import type { ShopEvent } from '../core/event.ts'
import {
  type FinishedEvent,
  finishedEvent,
  type PendingChange,
  type PendingEvents,
  pendingEvents,
} from '../core/pending-events.ts'
import { type RecordedSaleStep, saleStepNames } from '../core/sale-steps.ts'
import {
  endpointRunKey,
  endpointsPk,
  endpointWakeKey,
  pendingKey,
  pendingList,
  pendingListKey,
  pendingUntil,
  saleStepsKey,
  sentKey,
  sentPk,
  subjectOfPending,
  timeOfPending,
} from './keys.ts'

/**
 * An endpoint as endpoint.ts describes it, with sealed secrets; a former one signs `until` then, epoch ms. Each new endpoint
 * gets a new `id`. `disabledBy`: a marketer, or its own answer 410 (`gone`).
 */
const stored = z.object({
  id: z.string(),
  url: z.string(),
  types: z.optional(z.readonly(z.array(z.string()))),
  sales: z.optional(z.readonly(z.array(z.string()))),
  secret: z.string(),
  formerSecrets: z.readonly(z.array(z.object({ secret: z.string(), until: z.number() }))),
  disabledBy: z.optional(z.enum(['marketer', 'gone'])),
  createdAt: z.number(),
  savedAt: z.number(),
})

export type StoredEndpoint = NamedRecord<typeof stored>

export const endpoints = namedRecords({
  ...{ what: 'an endpoint', pk: endpointsPk, schema: stored, maxRecords: maxEndpoints },
  ...{ saves: 'save-endpoint', removes: 'delete-endpoint', nameFact: 'endpointName' },
  factsOf: ({ url, types, sales, disabledBy }) => ({
    ...{ url, enabled: disabledBy === undefined },
    ...(types !== undefined && { types }),
    ...(sales !== undefined && { sales }),
  }),
})

/** True when the endpoint receives the event, which must have happened after the endpoint was created. */
export function receives(
  { types, sales, disabledBy, createdAt }: StoredEndpoint,
  { type, data, at }: ShopEvent,
): boolean {
  if (disabledBy !== undefined || at < createdAt) return false
  return (types?.includes(type) ?? true) && (sales?.includes(String(data.saleId)) ?? true)
}

/** The item of a lease is deleted a day after it was last taken. */
const keptSeconds = 86_400

/**
 * Takes the lease to send to the endpoint until `until` (epoch ms); false while another function has it. If the function dies,
 * the events wait until then.
 * @throws when the table is unavailable
 */
export function leaseEndpoint(table: Table, endpointId: string, now: number, until: number): Promise<boolean> {
  return updateIf(table, {
    Key: endpointRunKey(endpointId),
    UpdateExpression: 'SET leasedUntil = :until, expiresAt = :expiresAt',
    ConditionExpression: 'attribute_not_exists(leasedUntil) OR leasedUntil <= :now',
    ExpressionAttributeValues: { ':until': until, ':now': now, ':expiresAt': Math.ceil(until / 1000) + keptSeconds },
  })
}

/** Releases the lease until `until`, unless it expired and another function took it. @throws when the table is unavailable */
export async function releaseEndpoint(table: Table, endpointId: string, until: number): Promise<void> {
  await updateIf(table, {
    Key: endpointRunKey(endpointId),
    UpdateExpression: 'REMOVE leasedUntil',
    ConditionExpression: 'leasedUntil = :until',
    ExpressionAttributeValues: { ':until': until },
  })
}

/** Wakes the sending function through the stream. `now` is epoch ms. @throws when the table is unavailable */
export async function wakeEndpoint({ client, name: TableName }: Table, endpointId: string, now: number): Promise<void> {
  const expiresAt = Math.ceil(now / 1000) + keptSeconds
  await client.send(new PutCommand({ TableName, Item: { ...endpointWakeKey(endpointId), at: now, expiresAt } }))
}

/** Idle items are kept this long to detect repeats: the stream may repeat a change for a day. */
const idleSeconds = 3 * 86_400

/** How long the record of an event is kept. */
const sentDays = 30

const storedPending = z.extend(pendingEvents, { version: z.number() })

/** Pending events as read; `version` 0 for a missing item. */
export type StoredPending = { pending: PendingEvents | undefined; version: number }

/** Reads pending events, strongly consistent. @throws when the table is unavailable */
export async function readPending(table: Table, endpointId: string, subject: string): Promise<StoredPending> {
  const item = await findItem(table, pendingKey(endpointId, subject))
  return item === undefined ? { pending: undefined, version: 0 } : readPendingItem(item)
}

/**
 * Saves `next` over the version `seen`, together with the record of a finished event; `conflict` when the item has changed
 * since. `now` is epoch ms.
 * @throws when the table is unavailable
 */
export async function writePending(
  table: Table,
  endpointId: string,
  seen: number,
  { pending: next, finished }: PendingChange,
  now: number,
): Promise<'written' | 'conflict'> {
  const Put = {
    TableName: table.name,
    Item: pendingItem(endpointId, next, seen + 1, now),
    ...(seen === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: '#version = :seen',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':seen': seen },
        }),
  }
  if (finished === undefined) {
    return (await conditionHeld(table.client.send(new PutCommand(Put)))) ? 'written' : 'conflict'
  }
  const record = { Put: { TableName: table.name, Item: sentItem(endpointId, finished) } }
  return (await transact(table, [{ Put }, record])) === 'written' ? 'written' : 'conflict'
}

/** Limit of the tries: the collector, a replay and the sender write the same item. */
const maxTries = 8

/**
 * Applies `change` to the pending events of a subject and saves the result, unless it is undefined. The first try uses `seen`
 * instead of a read. Resolves with the stored events, and the finished event.
 * @throws when the table is unavailable, or after too many conflicts with other writers
 */
export function changePending(
  { table, clock, sleep }: Pick<ShopContext, 'table' | 'clock'> & Partial<Pick<ShopContext, 'sleep'>>,
  endpointId: string,
  subject: string,
  change: (pending: PendingEvents | undefined, now: number) => PendingChange | undefined,
  seen?: StoredPending,
): Promise<StoredPending & Pick<PendingChange, 'finished'>> {
  return retry(async (tries) => {
    const present = tries === 1 && seen !== undefined ? seen : await readPending(table, endpointId, subject)
    const now = clock()
    const next = change(present.pending, now)
    if (next === undefined) return present
    const { version } = present
    const written = await writePending(table, endpointId, version, next, now)
    if (written === 'written') return { ...next, version: version + 1 }
    if (tries === maxTries) throw new Error(`the pending events of ${subject} change too fast`)
    return undefined
  }, sleep)
}

/**
 * Returns the orders and sales with events that are due at `now` (epoch ms), the longest due first, at most `limit`. The list
 * lags a moment behind.
 * @throws when the table is unavailable
 */
export async function dueSubjects(
  table: Table,
  endpointId: string,
  now: number,
  limit: number,
): Promise<readonly string[]> {
  return subjectsOf(endpointId, await readList(table, endpointId, limit, pendingUntil(now)))
}

/** Returns when the first pending event is due, epoch ms; undefined if none is pending. @throws when the table is unavailable */
export async function nextDueAt(table: Table, endpointId: string): Promise<number | undefined> {
  const [first] = await readList(table, endpointId, 1, undefined)
  return first === undefined ? undefined : timeOfPending(String(first.listSk))
}

/** Returns the pending events of an endpoint, the next due first, at most `limit`. @throws when the table is unavailable */
export async function listPending(table: Table, endpointId: string, limit: number): Promise<readonly PendingEvents[]> {
  const subjects = subjectsOf(endpointId, await readList(table, endpointId, limit, undefined))
  const items = await readBatch(
    table,
    subjects.map((subject) => pendingKey(endpointId, subject)),
  )
  const found = items.flatMap((item) => readPendingItem(item).pending ?? [])
  return found.filter(({ events }) => events.length > 0).sort((a, b) => a.nextAt - b.nextAt)
}

/** Returns the finished events, the newest first, at most `limit`. @throws when the table is unavailable */
export async function listFinished(table: Table, endpointId: string, limit: number): Promise<readonly FinishedEvent[]> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :sent',
    ExpressionAttributeValues: { ':sent': sentPk(endpointId) },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: limit,
  })
  for await (const items of pages) return items.map(readFinished)
  return []
}

/** Finds the event that was finished at that time; undefined without a record. @throws when the table is unavailable */
export async function findFinished(
  table: Table,
  endpointId: string,
  eventId: string,
  finishedAt: number,
): Promise<ShopEvent | undefined> {
  const item = await findItem(table, sentKey(endpointId, finishedAt, eventId))
  return item && readFinished(item).event
}

/** Returns the subjects without duplicates: an item that moves during the read may appear twice. */
const subjectsOf = (endpointId: string, items: readonly Item[]): string[] => [
  ...new Set(items.map(({ pk }) => subjectOfPending(endpointId, String(pk)))),
]

async function readList(
  table: Table,
  endpointId: string,
  limit: number,
  until: string | undefined,
): Promise<readonly Item[]> {
  const pages = queryPages(table, {
    IndexName: listIndex,
    KeyConditionExpression: until === undefined ? 'listPk = :list' : 'listPk = :list AND listSk < :until',
    ExpressionAttributeValues: { ':list': pendingList(endpointId), ...(until !== undefined && { ':until': until }) },
    Limit: limit,
  })
  for await (const items of pages) return items
  return []
}

function pendingItem(endpointId: string, pending: PendingEvents, version: number, now: number): Item {
  const { subject, events, nextAt } = pending
  const isIdle = events.length === 0
  return {
    ...pendingKey(endpointId, subject),
    ...(isIdle ? { expiresAt: Math.ceil(now / 1000) + idleSeconds } : pendingListKey(endpointId, subject, nextAt)),
    ...pending,
    version,
  }
}

function sentItem(endpointId: string, finished: FinishedEvent): Item {
  const { event, at } = finished
  const expiresAt = Math.ceil(at / 1000) + sentDays * 86_400
  return { ...sentKey(endpointId, at, event.id), ...finished, expiresAt }
}

function readPendingItem(item: Item): StoredPending {
  const { version, ...pending } = readStored('pending events', storedPending, item)
  return { pending, version }
}

const readFinished = (item: Item): FinishedEvent => readStored('the record of an event', finishedEvent, item)

export const storedSaleSteps = z.object({
  saleId: readBy(parseSaleId, 'must be a sale id'),
  steps: z.array(
    z.object({
      what: z.enum(saleStepNames),
      windowIndex: z.number(),
      at: z.number(),
      quantity: z.optional(z.number()),
      units: z.optional(z.record(z.string(), z.number())),
      soldOutBefore: z.optional(z.number()),
    }),
  ),
})

/** Reads the steps of a sale, strongly consistent. @throws when the table is unavailable */
export async function readSaleSteps(table: Table, saleId: SaleId): Promise<readonly RecordedSaleStep[]> {
  const item = await findItem(table, saleStepsKey(saleId))
  return item === undefined ? [] : readSteps(item).steps
}

/** Reads the steps of these sales, strongly consistent; sales without steps are absent. @throws when the table is unavailable */
export async function readStepsOfSales(
  table: Table,
  saleIds: readonly SaleId[],
): Promise<ReadonlyMap<SaleId, readonly RecordedSaleStep[]>> {
  const items = await readBatch(table, saleIds.map(saleStepsKey))
  return new Map(items.map(readSteps).map(({ saleId, steps }) => [saleId, steps]))
}

const readSteps = (item: unknown) => readStored('the steps of a sale', storedSaleSteps, item)

/** Appends `steps` to those read; `changed` when another run has added some. @throws when the table is unavailable */
export async function addSaleSteps(
  { client, name: TableName }: Table,
  saleId: SaleId,
  seen: readonly RecordedSaleStep[],
  steps: readonly RecordedSaleStep[],
): Promise<'added' | 'changed'> {
  const put = new PutCommand({
    TableName,
    Item: { ...saleStepsKey(saleId), saleId, steps: [...seen, ...steps] },
    ...(seen.length === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'size(steps) = :seen', ExpressionAttributeValues: { ':seen': seen.length } }),
  })
  return (await conditionHeld(client.send(put))) ? 'added' : 'changed'
}
