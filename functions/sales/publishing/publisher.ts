/** Publishes all public objects of sales and of the brand, and the pages that are the same for every sale. */
import type { SaleId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import { pagePath, pointerPath } from '../../../core/sale/pointer.ts'
import { brandStyle } from '../../../templates/pages/brand.ts'
import { type GatePorts, immutable, type Publisher, type ShopContext, type StockPorts } from '../../lib/shop/shop.ts'
import { findBrand } from '../../table/sale/brand.ts'
import { currentSaleIds } from '../../table/sale/sale-lists.ts'
import { publishCountdown } from './countdown.ts'
import { createEdgePublisher } from './edge-entries.ts'
import {
  htmlObject,
  type PagePorts,
  publishFirstIndex,
  publishIndex,
  publishSalePage,
  snapshot,
  stablePages,
} from './pages.ts'
import { createPointerPublisher } from './pointer.ts'
import { publishLatest } from './publish-latest.ts'

/** Creates the publisher. A deleted sale keeps its countdowns: they hold no secret, and a version is never rewritten. */
export function createPublisher(
  ports: StockPorts &
    Pick<ShopContext, 'site'> &
    PagePorts &
    GatePorts &
    Pick<ShopContext, 'edgeStore' | 'meter' | 'log'>,
): Publisher {
  // The index is never removed, so check for it once.
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
    stablePages: createStablePagesPublisher(ports),
    async firstIndex() {
      if (hasIndex) return
      await publishFirstIndex(ports)
      hasIndex = true
    },
  }
}

const pathOf = (page: string) => `${page}/index.html`

/** Pages of sales published at a time. */
const concurrency = 20

/** Publishes the colours of a brand, before it is saved, so that no page links them too early. */
async function publishBrandStyle({ site }: PagePorts, brand: Parameters<typeof brandStyle>[0]): Promise<void> {
  const style = brandStyle(brand)
  if (style === undefined) return
  await site.put({ ...style, contentType: 'text/css; charset=utf-8', cacheControl: immutable })
}

/** Publishes all pages with the current brand. Safe to repeat. */
async function publishBranded(ports: PagePorts): Promise<void> {
  await publishIndex(ports)
  const { warmed, drafts } = await currentSaleIds(ports.table)
  for (const some of slicesOf([...warmed, ...drafts], concurrency)) {
    await Promise.all(some.map((saleId) => publishSalePage(ports, saleId)))
  }
  await publishStablePages(ports)
}

async function publishStablePages({ site, table, templates }: PagePorts): Promise<void> {
  for (const page of stablePages) {
    await publishLatest(site, { path: pathOf(page), ...htmlObject }, async () =>
      snapshot(await templates.stablePage(page, (await findBrand(table)).brand)),
    )
  }
}

/**
 * Returns a function that publishes the stable pages when they differ from what this build makes of the brand: on a new site,
 * after a deployment, and after an interrupted change of the brand.
 */
function createStablePagesPublisher(ports: PagePorts): () => Promise<void> {
  const { site, table, templates } = ports
  let confirmed = ''
  return async () => {
    const { revision, brand } = await findBrand(table)
    const expected = await templates.stablePage('orders', brand)
    if (expected === confirmed) return
    const present = await Promise.all(stablePages.map((page) => site.read(pathOf(page))))
    const made = await Promise.all(stablePages.map((page) => templates.stablePage(page, brand)))
    const isCurrent = made.every((page, at) => present[at] === page)
    if (!isCurrent) {
      await publishBrandStyle(ports, brand)
      await (revision === 0 ? publishStablePages(ports) : publishBranded(ports))
    }
    confirmed = expected
  }
}
