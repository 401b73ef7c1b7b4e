/** The addresses of the shop that receive events, an item each in one partition, and the bus of the stage, which has none. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { eventBusName } from '../../../core/events/endpoint.ts'
import type { ShopEvent } from '../../../core/events/event.ts'
import type { Table } from '../../lib/shop/table.ts'
import { type AuditEntry, deleteAudited, putAudited } from '../audit.ts'
import { readStored, updateIf } from '../dynamodb.ts'
import { endpointKey, endpointRunKey, endpointsPk, endpointWakeKey } from '../keys.ts'
import { allOf, type Item } from '../query.ts'

const storedEndpoint = z.object({
  sk: z.string(),
  id: z.string(),
  url: z.string(),
  types: z.optional(z.array(z.string())),
  sales: z.optional(z.array(z.string())),
  secret: z.string(),
  formerSecrets: z.array(z.object({ secret: z.string(), until: z.number() })),
  disabledBy: z.optional(z.enum(['marketer', 'gone'])),
  createdAt: z.number(),
  savedAt: z.number(),
})

/**
 * As endpoint.ts says. Its secrets are sealed; a former one signs as well `until` then, epoch ms. `id` is made anew for each new endpoint. `disabledBy`: a marketer, or its
 * own answer 410.
 */
export type StoredEndpoint = {
  name: string
  id: string
  url: string
  types: readonly string[] | undefined
  sales: readonly string[] | undefined
  secret: string
  formerSecrets: readonly { secret: string; until: number }[]
  disabledBy: 'marketer' | 'gone' | undefined
  createdAt: number
  savedAt: number
}

/** Never a stale copy; in the order of their names. @throws when the table is unavailable */
export async function allEndpoints(table: Table): Promise<readonly StoredEndpoint[]> {
  const items = await allOf(table, endpointsPk)
  return items.map(readEndpoint)
}

/** The EventBridge bus of the stage: it receives everything, and its settings alone decide that. */
export type EventBusEndpoint = Omit<StoredEndpoint, 'url' | 'secret' | 'formerSecrets'>

const eventBusEndpoint: EventBusEndpoint = {
  ...{ name: eventBusName, id: eventBusName, types: undefined, sales: undefined, disabledBy: undefined },
  ...{ createdAt: 0, savedAt: 0 },
}

/** The bus of a stage with one, and all endpoints. Never a stale copy. @throws when the table is unavailable */
export async function allReceivers({
  table,
  hasEventBus,
}: {
  table: Table
  hasEventBus: boolean
}): Promise<readonly (StoredEndpoint | EventBusEndpoint)[]> {
  const endpoints = await allEndpoints(table)
  return hasEventBus ? [eventBusEndpoint, ...endpoints] : endpoints
}

/** Whether the endpoint receives the event, which must have happened since the endpoint was created. */
export function receives(
  { types, sales, disabledBy, createdAt }: EventBusEndpoint,
  { type, data, at }: ShopEvent,
): boolean {
  if (disabledBy !== undefined || at < createdAt) return false
  return (types?.includes(type) ?? true) && (sales?.includes(String(data.saleId)) ?? true)
}

/**
 * Puts the endpoint in the place of `former`, which is undefined for a new one, together with the audit entry. `refused`:
 * another call has saved or removed it since, so its `savedAt` is another.
 * @throws when the table is unavailable
 */
export function putEndpoint(
  table: Table,
  { name, ...endpoint }: StoredEndpoint,
  audit: AuditEntry,
  former?: StoredEndpoint,
): Promise<'written' | 'refused'> {
  const given = Object.entries(endpoint).filter(([, value]) => value !== undefined)
  const condition =
    former === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'savedAt = :savedAt', ExpressionAttributeValues: { ':savedAt': former.savedAt } }
  return putAudited(table, { ...endpointKey(name), ...Object.fromEntries(given) }, audit, condition)
}

/**
 * `missing`: nothing was removed, and there is no audit entry.
 * @throws when the table is unavailable
 */
export function deleteEndpoint(table: Table, name: string, audit: AuditEntry): Promise<'removed' | 'missing'> {
  return deleteAudited(table, endpointKey(name), audit)
}

/** Disables an endpoint that answers 410, unless a marketer has saved it since. @throws when the table is unavailable */
export async function disableGone(
  table: Table,
  { name, savedAt }: Pick<StoredEndpoint, 'name' | 'savedAt'>,
): Promise<void> {
  await updateIf(table, {
    Key: endpointKey(name),
    UpdateExpression: 'SET disabledBy = :gone',
    ConditionExpression: 'savedAt = :savedAt',
    ExpressionAttributeValues: { ':savedAt': savedAt, ':gone': 'gone' },
  })
}

/** The item of a lease is deleted a day after it was last taken. */
const keptSeconds = 86_400

/**
 * Takes the right to send to the endpoint until `until` (epoch ms); false while another has it. One that ends early, with
 * its function, delays the events until then.
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

/** Gives back a lease until `until`, unless it ended and another took it. @throws when the table is unavailable */
export async function releaseEndpoint(table: Table, endpointId: string, until: number): Promise<void> {
  await updateIf(table, {
    Key: endpointRunKey(endpointId),
    UpdateExpression: 'REMOVE leasedUntil',
    ConditionExpression: 'leasedUntil = :until',
    ExpressionAttributeValues: { ':until': until },
  })
}

/**
 * Asks for a look at what is due: the stream shows this item to the function that sends. `now` is epoch ms.
 * @throws when the table is unavailable
 */
export async function wakeEndpoint({ client, name: TableName }: Table, endpointId: string, now: number): Promise<void> {
  const expiresAt = Math.ceil(now / 1000) + keptSeconds
  await client.send(new PutCommand({ TableName, Item: { ...endpointWakeKey(endpointId), at: now, expiresAt } }))
}

function readEndpoint(item: Item): StoredEndpoint {
  const { sk: name, types, sales, disabledBy, ...rest } = readStored('an endpoint', storedEndpoint, item)
  return { ...rest, name, types, sales, disabledBy }
}
