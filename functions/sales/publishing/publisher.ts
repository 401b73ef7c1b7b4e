/** All public objects of sales and of the brand, as `control` publishes them. */

import type { SaleId } from '../../../core/ids.ts'
import { pagePath, pointerPath } from '../../../core/sale/pointer.ts'
import type { Publisher } from '../../lib/shop/publisher.ts'
import type { GatePorts, Shop, StockPorts } from '../../lib/shop/shop.ts'
import { publishCountdown } from './countdown.ts'
import { createEdgePublisher } from './edge-entries.ts'
import { type PagePorts, publishFirstIndex, publishIndex, publishSalePage } from './pages.ts'
import { createPointerPublisher } from './pointer.ts'
import { createStablePagesKeeper, publishBranded, publishBrandStyle } from './stable-pages.ts'

/** A deleted sale keeps its countdowns: they hold no secret, and a version is never rewritten. */
export function createPublisher(
  ports: StockPorts & Pick<Shop, 'site'> & PagePorts & GatePorts & Pick<Shop, 'edgeStore' | 'meter' | 'log'>,
): Publisher {
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
    index: (saleId) => publishIndex(ports, saleId && { saleId }),
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
