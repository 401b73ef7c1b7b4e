/**
 * Keeps the published count of what is left true while orders or claims are written. A refresh
 * costs as much as writing a batch, so batches that more messages follow share one.
 */

import QuickLRU from 'quick-lru'
import type { SaleId } from '../../../core/ids.ts'
import type { Shopfront } from '../../lib/shop/publisher.ts'
import type { Shop } from '../../lib/shop/shop.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import { within } from '../../lib/within.ts'

/**
 * Publishes the pointer of each sale, and waits no longer than `deadline` (epoch ms). Orders stand
 * also when this fails, so a failure or a timeout is logged and not thrown.
 */
export async function refreshSales(
  { shopfront, clock, meter, log }: Pick<Shop, 'shopfront' | 'clock' | 'meter' | 'log'>,
  saleIds: ReadonlySet<SaleId>,
  deadline: number,
): Promise<void> {
  const one = async (saleId: SaleId) => {
    try {
      await within(deadline - clock(), shopfront.refresh(saleId))
    } catch (error) {
      meter.count('PublishFailed')
      log.warn('remaining count not published', { saleId, ...errorFacts(error) })
    }
  }
  await Promise.all([...saleIds].map(one))
}

const maxSales = 1000

/** While messages of a sale wait, each writer refreshes it this often, ms. */
const busyMs = 1000

/**
 * Skips a refresh within a second of the one before, while messages of the sale wait: the batch
 * that leaves none `waiting` refreshes. So call it when a batch is done. Should messages wait that
 * cannot be delivered, the count may be a minute old, until `reconcile` publishes it. A failed
 * refresh publishes nothing, so the next batch starts one.
 */
export function refreshSparingly(
  shopfront: Shopfront,
  waiting: (saleId: SaleId) => Promise<number>,
  clock: () => number,
): Shopfront {
  const begun = new QuickLRU<SaleId, number>({ maxSize: maxSales })
  return {
    async refresh(saleId) {
      const before = begun.get(saleId)
      const isRecent = before !== undefined && clock() - before < busyMs
      // The refresh itself reports a Redis that does not answer.
      if (isRecent && (await waiting(saleId).catch(() => 0)) > 0) return
      begun.set(saleId, clock())
      try {
        await shopfront.refresh(saleId)
      } catch (error) {
        begun.delete(saleId)
        throw error
      }
    },
  }
}
