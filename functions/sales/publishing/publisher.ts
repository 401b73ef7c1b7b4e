/** All public objects of sales and of the brand, as `control` publishes them. */
import type { Brand } from '../../../core/brand.ts'
import type { SaleId } from '../../../core/ids.ts'
import { pagePath, pointerPath } from '../../../core/sale/pointer.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { publishCountdown } from './countdown.ts'
import { createEdgePublisher, type EdgeEntryPorts } from './edge-entries.ts'
import { type PagePorts, publishFirstIndex, publishIndex, publishSalePage } from './pages.ts'
import { createPointerPublisher, type PointerPorts } from './pointer.ts'
import { createStablePagesKeeper, publishBranded, publishBrandStyle } from './stable-pages.ts'

/**
 * Every call may be repeated; `withdraw` is for a sale that was deleted, `firstIndex` for a shop
 * that may have no page yet.
 */
export type Publisher = {
  countdown: (sale: Sale) => Promise<void>
  pointer: (saleId: SaleId) => Promise<void>
  page: (saleId: SaleId) => Promise<void>
  /** The index of the shop, after that sale changed. */
  index: (saleId: SaleId) => Promise<void>
  /** What the CloudFront Functions know of the sale (edge-entries.ts). */
  edge: ReturnType<typeof createEdgePublisher>
  withdraw: (saleId: SaleId) => Promise<void>
  firstIndex: () => Promise<void>
  /** The colours of a brand that is about to be saved. */
  brandStyle: (brand: Brand) => Promise<void>
  /** All pages, with the brand as it is now. */
  brand: () => Promise<void>
  /** The pages that are the same for every sale, where they are outdated. */
  stablePages: () => Promise<void>
}

/** A deleted sale keeps its countdowns: they hold no secret, and a version is never rewritten. */
export function createPublisher(ports: PointerPorts & PagePorts & EdgeEntryPorts): Publisher {
  // The index is never removed, so look for it once.
  let hasIndex = false
  const publicVersions = new Map<SaleId, number>()
  return {
    async countdown(sale) {
      await publishCountdown(ports.site, sale)
      publicVersions.set(sale.saleId, sale.version)
    },
    pointer: createPointerPublisher(ports, publicVersions),
    edge: createEdgePublisher(ports),
    page: (saleId) => publishSalePage(ports, saleId),
    index: (saleId) => publishIndex(ports, { saleId }),
    async withdraw(saleId) {
      await publishIndex(ports, { saleId })
      await ports.site.remove(pagePath(saleId))
      await ports.site.remove(pointerPath(saleId))
    },
    brandStyle: (brand) => publishBrandStyle(ports, brand),
    brand: () => publishBranded(ports),
    stablePages: createStablePagesKeeper(ports),
    async firstIndex() {
      if (hasIndex) return
      await publishFirstIndex(ports)
      hasIndex = true
    },
  }
}
