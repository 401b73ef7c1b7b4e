/** Values that are decided once: who asks first decides, and all others get what holds. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../../lib/shop/table.ts'
import type { ItemKey } from '../keys.ts'

/** Gives an item those of `values` that it lacks, and resolves with all of the item. Safe to repeat. @throws when the table is unavailable */
export async function keepFirst(
  { client, name }: Table,
  key: ItemKey,
  values: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const fields = Object.keys(values)
  const update = new UpdateCommand({
    TableName: name,
    Key: key,
    UpdateExpression: `SET ${fields.map((field) => `${field} = if_not_exists(${field}, :${field})`).join(', ')}`,
    ExpressionAttributeValues: Object.fromEntries(fields.map((field) => [`:${field}`, values[field]])),
    ReturnValues: 'ALL_NEW',
  })
  return (await client.send(update)).Attributes
}
