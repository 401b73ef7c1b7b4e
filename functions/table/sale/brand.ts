/** The brand of the shop as one item of the table. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type BrandRecord, brandRecord } from '../../../core/brand.ts'
import { parse } from '../../../core/lib/parse.ts'
import type { Table } from '../../lib/shop/table.ts'
import { type AuditEntry, auditPut } from '../audit.ts'
import { UnexpectedItem } from '../dynamodb.ts'
import { brandKey } from '../keys.ts'
import type { Item } from '../query.ts'
import { transact } from '../transaction.ts'
import type { Saved } from './sales.ts'

/** What a shop has before its brand is saved. */
const noBrand: BrandRecord = { revision: 0, brand: {} }

const storedBrand = z.object(brandRecord.shape)

/** Never a stale copy; before the first save an empty brand of revision 0. @throws when the table is unavailable */
export async function findBrand({ client, name }: Table): Promise<BrandRecord> {
  const { Item } = await client.send(new GetCommand({ TableName: name, Key: brandKey, ConsistentRead: true }))
  return Item === undefined ? noBrand : readBrand(Item)
}

/**
 * Saves `next` and its audit entry together, over the revision before that of `next`.
 * @throws when the table is unavailable
 */
export async function saveBrand(table: Table, next: BrandRecord, audit: AuditEntry): Promise<Saved> {
  const { name } = table
  const put = { TableName: name, Item: { ...brandKey, ...next } }
  const seen = next.revision - 1
  const condition =
    seen === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'revision = :seen', ExpressionAttributeValues: { ':seen': seen } }
  const written = await transact(table, [{ Put: { ...put, ...condition } }, auditPut(name, audit)])
  return written === 'written' ? 'saved' : 'conflict'
}

function readBrand(item: Item): BrandRecord {
  const read = parse(storedBrand, item)
  if (!read.ok) throw new UnexpectedItem('the brand', read.detail)
  return read.value
}
