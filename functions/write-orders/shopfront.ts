/**
 * Keeps the published count of what is left true while orders are written. Every batch asks for it, but a refresh that
 * began after a batch was reserved has published its units already; and after the rush, when a long queue is emptied,
 * that is so for all of them. A refresh costs as much as writing a batch.
 */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../../core/ids.ts'

export type Shopfront = {
  /** Makes the published count of a sale true again, which was changed by others at `reservedAt` (epoch ms) last. */
  refresh: (saleId: SaleId, reservedAt: number) => Promise<void>
}

const maxSales = 1000

/**
 * How long after `reservedAt`, by our clock, its units may still have been taken: a call to Redis is given up after a
 * second, and the clocks of two functions differ.
 */
const settledMs = 3000

/**
 * Leaves out what is public already. Only reservations wait for a writer to publish them; whoever gives units back, or
 * changes the sale, does that himself. A refresh that fails publishes nothing, so the next batch begins one.
 */
export function withoutRepeats(
  shopfront: { refresh: (saleId: SaleId) => Promise<void> },
  clock: () => number,
): Shopfront {
  const latest = new QuickLRU<SaleId, { startedAt: number; done: Promise<void> }>({ maxSize: maxSales })
  return {
    async refresh(saleId, reservedAt) {
      const known = latest.get(saleId)
      if (known !== undefined && reservedAt < known.startedAt - settledMs) return known.done
      const mine = { startedAt: clock(), done: shopfront.refresh(saleId) }
      latest.set(saleId, mine)
      try {
        await mine.done
      } catch (error) {
        if (latest.get(saleId) === mine) latest.delete(saleId)
        throw error
      }
    },
  }
}
