/**
 * The pages that are the same for every sale and show the brand of the shop, and the publishing of a
 * changed brand. The build has them without a brand.
 */

import { slicesOf } from '../../../core/lib/slices.ts'
import { brandStyle } from '../../../static/pages/brand.ts'
import { immutable } from '../../lib/shop/site.ts'
import { findBrand } from '../../table/sale/brand.ts'
import { currentSaleIds } from '../../table/sale/sale-lists.ts'
import { asTruth, html, type PagePorts, publishIndex, publishSalePage } from './pages.ts'
import { publishLatest } from './publish-latest.ts'

const pages = [
  { path: 'accessibility/index.html', template: 'accessibilityPage' },
  { path: 'customer/index.html', template: 'customerPage' },
  { path: 'wallet/index.html', template: 'walletPage' },
  // The last one published: while it is outdated, others may be too.
  { path: 'orders/index.html', template: 'ordersPage' },
] as const

/** Pages of sales published at a time. */
const atOnce = 20

/** Publishes the colours of a brand; before it is saved, so that no page can link them too early. */
export async function publishBrandStyle({ site }: PagePorts, brand: Parameters<typeof brandStyle>[0]): Promise<void> {
  const style = brandStyle(brand)
  if (style === undefined) return
  await site.put({ ...style, contentType: 'text/css; charset=utf-8', cacheControl: immutable })
}

/** Publishes all pages with the brand as it is now. May be repeated. */
export async function publishBranded(ports: PagePorts): Promise<void> {
  await publishIndex(ports)
  const { warmed, drafts } = await currentSaleIds(ports.table)
  for (const some of slicesOf([...warmed, ...drafts], atOnce)) {
    await Promise.all(some.map((saleId) => publishSalePage(ports, saleId)))
  }
  await publishStablePages(ports)
}

async function publishStablePages({ site, table, templates }: PagePorts): Promise<void> {
  for (const { path, template } of pages) {
    await publishLatest(site, { path, ...html }, async () =>
      asTruth(await templates[template]((await findBrand(table)).brand)),
    )
  }
}

/**
 * Publishes the pages where they differ from what this build makes of the brand: on a new site, after a
 * deployment, and when the publishing of a changed brand was cut off.
 */
export function createStablePagesKeeper(ports: PagePorts): () => Promise<void> {
  const { site, table, templates } = ports
  let confirmed = ''
  return async () => {
    const { revision, brand } = await findBrand(table)
    const wanted = await templates.ordersPage(brand)
    if (wanted === confirmed) return
    const present = await Promise.all(pages.map(({ path }) => site.read(path)))
    const made = await Promise.all(pages.map(({ template }) => templates[template](brand)))
    const isCurrent = made.every((page, at) => present[at] === page)
    if (!isCurrent) {
      await publishBrandStyle(ports, brand)
      await (revision === 0 ? publishStablePages(ports) : publishBranded(ports))
    }
    confirmed = wanted
  }
}
