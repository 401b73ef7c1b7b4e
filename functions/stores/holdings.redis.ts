/** Holds in Redis, for reconcile and recover: to release, to restore, and to rebuild. */
import { maxOrdersPerCall } from '../../redis/batch.ts'
import type { Commander } from '../../redis/command.ts'
import { freeze } from '../../redis/freeze.ts'
import { countHolds, holdPages } from '../../redis/holds.ts'
import { recount } from '../../redis/recount.ts'
import { release } from '../../redis/release.ts'
import { releaseHeldBack } from '../../redis/release-held-back.ts'
import { restore } from '../../redis/restore.ts'
import { unfreeze } from '../../redis/unfreeze.ts'
import type { Holdings } from '../repair/ports.ts'

export function redisHoldings(redis: Commander): Holdings {
  return {
    release: (saleId, orders) => inPages(orders, (page) => release(redis, saleId, page)),
    restore: (saleId, orders) => inPages(orders, (page) => restore(redis, saleId, page)),
    freeze: (saleId) => freeze(redis, saleId),
    recount: (saleId, count) => recount(redis, saleId, count),
    unfreeze: (sale, minStockRevision, heldBack) => unfreeze(redis, sale, minStockRevision, heldBack),
    releaseHeldBack: (saleId, keeping) => releaseHeldBack(redis, saleId, keeping),
    pages: (saleId) => holdPages(redis, saleId, maxOrdersPerCall),
    count: (saleId) => countHolds(redis, saleId),
  }
}

/**
 * The last page's answer, with the `orders` of all; an empty list is one empty page, which still
 * returns the counters.
 */
async function inPages<Item, Done extends { orders: number }>(
  items: readonly Item[],
  call: (page: readonly Item[]) => Promise<Done | { kind: 'unknown-sale' }>,
): Promise<Done | { kind: 'unknown-sale' }> {
  let orders = 0
  for (let from = 0; ; from += maxOrdersPerCall) {
    const answer = await call(items.slice(from, from + maxOrdersPerCall))
    if (!('orders' in answer)) return answer
    orders += answer.orders
    if (from + maxOrdersPerCall >= items.length) return { ...answer, orders }
  }
}
