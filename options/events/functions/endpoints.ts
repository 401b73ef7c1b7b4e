/** The addresses of the shop that receive events, an item each in one partition. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { updateIf } from '../../../functions/table/dynamodb.ts'
import { type NamedRecord, namedRecords } from '../../../functions/table/named-records.ts'
import { maxEndpoints } from '../core/endpoint.ts'
import type { ShopEvent } from '../core/event.ts'
import { endpointRunKey, endpointsPk, endpointWakeKey } from './keys.ts'

/**
 * As endpoint.ts says. Its secrets are sealed; a former one signs as well `until` then, epoch ms. `id` is made anew for
 * each new endpoint. `disabledBy`: a marketer, or its own answer 410.
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
  ...{ what: 'an endpoint', pk: endpointsPk, schema: stored, most: maxEndpoints },
  ...{ saves: 'save-endpoint', removes: 'delete-endpoint', nameFact: 'endpointName' },
  factsOf: ({ url, types, sales, disabledBy }) => ({
    ...{ url, enabled: disabledBy === undefined },
    ...(types !== undefined && { types }),
    ...(sales !== undefined && { sales }),
  }),
})

/** Whether the endpoint receives the event, which must have happened since the endpoint was created. */
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
 * Takes the right to send to the endpoint until `until` (epoch ms); false while another has it. One that ends early,
 * with its function, delays the events until then.
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

/** Wakes, by the stream, the function that sends. `now` is epoch ms. @throws when the table is unavailable */
export async function wakeEndpoint({ client, name: TableName }: Table, endpointId: string, now: number): Promise<void> {
  const expiresAt = Math.ceil(now / 1000) + keptSeconds
  await client.send(new PutCommand({ TableName, Item: { ...endpointWakeKey(endpointId), at: now, expiresAt } }))
}
