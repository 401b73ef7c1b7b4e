/**
 * Refreshes the published units left: the count on the page, and whether the CloudFront Functions say sold out. A refresh costs
 * as much as writing a batch, so consecutive batches of orders or claims share one.
 */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../../../core/ids.ts'
import { within } from '../../lib/retry.ts'
import type { Publisher, ShopContext, Shopfront, Wake } from '../../lib/shop/shop.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import type { PublishPointer } from './pointer.ts'

/**
 * Publishes the pointer of each sale, and waits no longer than `deadline` (epoch ms). Orders are valid even if this fails, so a
 * failure or a timeout is logged and not thrown.
 */
export async function refreshSales(
  { shopfront, clock, meter, log }: Pick<ShopContext, 'shopfront' | 'clock' | 'meter' | 'log'>,
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

/** Creates the shopfront of functions that may publish to the edge. That comes first: who reads of units may click. */
export const fullShopfront = ({ edge, pointer }: Pick<Publisher, 'edge' | 'pointer'>): Shopfront => ({
  async refresh(saleId) {
    await edge(saleId)
    await pointer(saleId)
  },
})

/**
 * Creates the shopfront of other functions. It wakes `reconcile` when no unit is left, or when all units left may have returned
 * just now. If many return at once this may be missed, and the tick notices within a second.
 */
export const wakingShopfront = (pointer: PublishPointer, wake: Wake): Shopfront => ({
  async refresh(saleId, ended = 0) {
    const { left, maxPerOrder } = (await pointer(saleId)) ?? { left: -1, maxPerOrder: 0 }
    if (left !== -1 && left <= ended * maxPerOrder) await wake(saleId)
  },
})

const maxSales = 1000

/** How often each writer refreshes a sale while its messages wait, ms. */
const refreshEveryMs = 1000

/**
 * Skips a refresh within a second of the last one while messages of the sale wait: the batch that leaves none `waiting`
 * refreshes, so call it when a batch is done. If undeliverable messages wait, the count may be a minute old, until `reconcile`
 * publishes it. A failed refresh publishes nothing, so the next batch starts one.
 */
export function throttleRefresh(
  shopfront: Shopfront,
  waiting: (saleId: SaleId) => Promise<number>,
  clock: () => number,
): Shopfront {
  const begun = new QuickLRU<SaleId, number>({ maxSize: maxSales })
  return {
    async refresh(saleId, ended) {
      const before = begun.get(saleId)
      const isRecent = before !== undefined && clock() - before < refreshEveryMs
      // The refresh itself reports an unavailable Redis.
      if (isRecent && (await waiting(saleId).catch(() => 0)) > 0) return
      begun.set(saleId, clock())
      try {
        await shopfront.refresh(saleId, ended)
      } catch (error) {
        begun.delete(saleId)
        throw error
      }
    },
  }
}
