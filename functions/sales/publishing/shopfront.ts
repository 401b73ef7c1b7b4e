/**
 * Keeps the published count of what is left true while orders or claims are written. Every batch
 * asks for it, but a refresh that began after a batch was taken from the stock has published its
 * units already; and after the rush, when a long queue is emptied, that is so for all of them. A
 * refresh costs as much as writing a batch.
 */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../../../core/ids.ts'
import { errorFacts, type Telemetry } from '../../lib/telemetry.ts'
import { within } from '../../lib/within.ts'

export type Shopfront = {
  /**
   * Makes the published count of a sale true again, which was changed by others at `takenAt` (epoch
   * ms) last.
   */
  refresh: (saleId: SaleId, takenAt: number) => Promise<void>
}

export type RefreshPorts = { shopfront: Shopfront; clock: () => number } & Telemetry

/**
 * Publishes the pointer of each sale in `newest`, which has the time of its last purchase, and
 * waits no longer than `deadline` (both epoch ms). Orders stand whatever happens here, so a failure
 * or a timeout is logged and not thrown.
 */
export async function refreshSales(
  { shopfront, clock, meter, log }: RefreshPorts,
  newest: ReadonlyMap<SaleId, number>,
  deadline: number,
): Promise<void> {
  const one = async ([saleId, takenAt]: [SaleId, number]) => {
    try {
      await within(deadline - clock(), shopfront.refresh(saleId, takenAt))
    } catch (error) {
      meter.count('PublishFailed')
      log.warn('remaining count not published', { saleId, ...errorFacts(error) })
    }
  }
  await Promise.all([...newest].map(one))
}

const maxSales = 1000

/**
 * How long after `takenAt`, by our clock, its units may still have been taken: a call to Redis is
 * given up after a second, and the clocks of two functions differ.
 */
const settledMs = 3000

/**
 * Skips what is already public. Only purchases wait for the writer to publish them; a release or a
 * change of the sale publishes by itself. A failed refresh publishes nothing, so the next batch
 * starts one.
 */
export function withoutRepeats(
  shopfront: { refresh: (saleId: SaleId) => Promise<void> },
  clock: () => number,
): Shopfront {
  const latest = new QuickLRU<SaleId, { startedAt: number; done: Promise<void> }>({ maxSize: maxSales })
  return {
    async refresh(saleId, takenAt) {
      const known = latest.get(saleId)
      if (known !== undefined && takenAt < known.startedAt - settledMs) return known.done
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
