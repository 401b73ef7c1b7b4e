/** When a sale opened, sold out and ended, and what it took of the shop's stock, as an item beside it. The events of the sale follow from its changes. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { parseSaleId, type SaleId } from '../../../core/ids.ts'
import { readBy } from '../../../core/lib/parse.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { readBatch } from '../../../functions/table/batch.ts'
import { findItem, hasHeld, readStored } from '../../../functions/table/dynamodb.ts'
import { type NotedSaleStep, saleStepWords } from '../core/sale-steps.ts'
import { saleStepsKey } from './keys.ts'

export const storedSaleSteps = z.object({
  saleId: readBy(parseSaleId, 'must be a sale id'),
  steps: z.array(
    z.object({
      what: z.enum(saleStepWords),
      windowIndex: z.number(),
      at: z.number(),
      quantity: z.optional(z.number()),
      units: z.optional(z.record(z.string(), z.number())),
      soldOutBefore: z.optional(z.number()),
    }),
  ),
})

/** Never a stale copy. @throws when the table is unavailable */
export async function readSaleSteps(table: Table, saleId: SaleId): Promise<readonly NotedSaleStep[]> {
  const item = await findItem(table, saleStepsKey(saleId))
  return item === undefined ? [] : readSteps(item).steps
}

/** The steps of those sales that have some. Never a stale copy. @throws when the table is unavailable */
export async function readStepsOf(
  table: Table,
  saleIds: readonly SaleId[],
): Promise<ReadonlyMap<SaleId, readonly NotedSaleStep[]>> {
  const items = await readBatch(table, saleIds.map(saleStepsKey))
  return new Map(items.map(readSteps).map(({ saleId, steps }) => [saleId, steps]))
}

const readSteps = (item: unknown) => readStored('the steps of a sale', storedSaleSteps, item)

/** Adds `steps` to those read; `changed` when another run has added some. @throws when the table is unavailable */
export async function addSaleSteps(
  { client, name: TableName }: Table,
  saleId: SaleId,
  seen: readonly NotedSaleStep[],
  steps: readonly NotedSaleStep[],
): Promise<'added' | 'changed'> {
  const put = new PutCommand({
    TableName,
    Item: { ...saleStepsKey(saleId), saleId, steps: [...seen, ...steps] },
    ...(seen.length === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'size(steps) = :seen', ExpressionAttributeValues: { ':seen': seen.length } }),
  })
  return (await hasHeld(client.send(put))) ? 'added' : 'changed'
}
