/** The crowd of each start of a sale as it was expected and as it came; the measured ones of the shop are a list by time. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { SaleId } from '../../../core/ids.ts'
import { whole } from '../../../core/lib/parse.ts'
import { sortableTime } from '../../../core/lib/sortable-time.ts'
import { type ExpectedCrowd, type MeasuredCrowd, mostMeasured } from '../../../core/people/crowd.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { Table } from '../../lib/shop/table.ts'
import { hasHeld, readStored, updateIf } from '../dynamodb.ts'
import { crowdKey, crowdList } from '../keys.ts'
import { readEntries, readEntryItems } from '../list.ts'
import { allOf } from '../query.ts'

const count = whole(0, Number.MAX_SAFE_INTEGER)

/** `before`: how many requests had reached the gate when it was noted, at `notedAt` (epoch ms). */
const stored = z.object({
  ...{ from: count, to: count, reminders: count, before: count, notedAt: count },
  ...{ opened: z.optional(count), came: z.optional(count) },
})
type StoredCrowd = z.infer<typeof stored>

type StartOfSale = Pick<Sale, 'saleId' | 'windowIndex'>

/** Those of the sale by window. @throws when the table is unavailable, UnexpectedItem */
export async function readCrowds(table: Table, saleId: SaleId): Promise<ReadonlyMap<number, StoredCrowd>> {
  const items = await allOf(table, crowdKey(saleId, 0).pk)
  return new Map(items.map((item) => [Number(item.sk), readCrowd(item)]))
}

const readCrowd = (item: unknown) => readStored('the crowd of a start', stored, item)

/** Notes what is expected of the present window; the first note stays. Safe to repeat. @throws when the table is unavailable */
export async function noteExpected(
  { client, name }: Table,
  { saleId, windowIndex }: StartOfSale,
  crowd: ExpectedCrowd & Pick<StoredCrowd, 'reminders' | 'before' | 'notedAt'>,
): Promise<void> {
  const put = new PutCommand({
    TableName: name,
    Item: { ...crowdKey(saleId, windowIndex), ...crowd },
    ConditionExpression: 'attribute_not_exists(pk)',
  })
  await hasHeld(client.send(put))
}

/** Notes what came, once; the list of the shop has it from then on. Safe to repeat. @throws when the table is unavailable */
export async function noteMeasured(
  table: Table,
  { saleId, windowIndex }: StartOfSale,
  { opened, came, at }: Pick<MeasuredCrowd, 'opened' | 'came'> & { at: number },
): Promise<void> {
  await updateIf(table, {
    Key: crowdKey(saleId, windowIndex),
    UpdateExpression: 'SET opened = :opened, came = :came, listPk = :list, listSk = :place',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(came)',
    ExpressionAttributeValues: {
      ...{ ':opened': opened, ':came': came, ':list': crowdList },
      ':place': `${sortableTime(at)}#${saleId}`,
    },
  })
}

/** The starts of the shop that were measured last. @throws when the table is unavailable, UnexpectedItem */
export async function latestCrowds(table: Table): Promise<readonly MeasuredCrowd[]> {
  const entries = await readEntries(table, crowdList, { limit: mostMeasured })
  return (await readEntryItems(table, entries)).map((item) => {
    const { reminders, opened = 0, came = 0 } = readCrowd(item)
    return { reminders, opened, came }
  })
}
