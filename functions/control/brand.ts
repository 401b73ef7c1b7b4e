/** A marketer changes the brand of the shop. Safe to repeat (I5). */

import { isDeepStrictEqual } from 'node:util'
import type { BrandRecord } from '../../core/brand.ts'
import type { Shop } from '../lib/shop/shop.ts'
import type { Actor } from '../sales/audit.ts'
import { findBrand, saveBrand } from '../table/sale/brand.ts'

/**
 * Saves the brand over the revision that it names, and publishes all pages; what a crash leaves
 * unpublished the next scheduled run publishes. A repeat of the last change is answered like it.
 */
export async function changeBrand(
  { table, publisher, clock }: Pick<Shop, 'table' | 'publisher' | 'clock'>,
  actor: Actor,
  { revision, brand }: BrandRecord,
): Promise<BrandRecord | 'conflict'> {
  await publisher.brandStyle(brand)
  const before = await findBrand(table)
  const next = { revision: revision + 1, brand }
  const isDone = before.revision === next.revision && isDeepStrictEqual(before.brand, brand)
  if (!isDone) {
    const change = { ...actor, what: 'brand' as const, saleId: null, when: clock(), before: before.brand, after: brand }
    if (before.revision !== revision || (await saveBrand(table, next, change)) === 'conflict') return 'conflict'
  }
  await publisher.brand()
  return next
}
