/** The brand of the shop as one item of the table. */
import * as z from 'zod/mini'
import { type BrandRecord, brandRecord } from '../../../core/brand.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { type AuditEntry, putAudited } from '../audit.ts'
import { findItem, readStored } from '../dynamodb.ts'
import { brandKey } from '../keys.ts'
import type { Saved } from './sales.ts'

/** The brand of a shop before the first save. */
const noBrand: BrandRecord = { revision: 0, brand: {} }

const storedBrand = z.object(brandRecord.shape)

/** Returns the brand, an empty one of revision 0 before the first save. @throws when the table is unavailable */
export async function findBrand(table: Table): Promise<BrandRecord> {
  const item = await findItem(table, brandKey)
  return item === undefined ? noBrand : readStored('the brand', storedBrand, item)
}

/** Saves `next` and its audit entry over the revision before that of `next`. @throws when the table is unavailable */
export async function saveBrand(table: Table, next: BrandRecord, audit: AuditEntry): Promise<Saved> {
  const seen = next.revision - 1
  const condition =
    seen === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'revision = :seen', ExpressionAttributeValues: { ':seen': seen } }
  return (await putAudited(table, { ...brandKey, ...next }, audit, condition)) === 'written' ? 'saved' : 'conflict'
}
