/** Publishes the HTML pages of the shop that depend on sales: one per sale, and the index. */
import type { Brand } from '../../../core/brand.ts'
import type { SaleId } from '../../../core/ids.ts'
import { pagePath } from '../../../core/sale/pointer.ts'
import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import type { Publication } from '../../../templates/pages/preview.ts'
import { pageCaching, type ShopContext } from '../../lib/shop/shop.ts'
import { findBrand } from '../../table/sale/brand.ts'
import { warmedSales } from '../../table/sale/sale-lists.ts'
import { findSale } from '../../table/sale/sales.ts'
import { publishLatest, type Snapshot } from './publish-latest.ts'

/** A page, or a promise of it when the templates may have to be loaded first. */
type Rendered = string | Promise<string>

/** Pure renderers, which escape everything in a sale. */
export type Templates = {
  salePage: (sale: Sale, published: Omit<Publication, 'shopUrl'>) => Rendered
  indexPage: (sales: readonly Sale[], brand: Brand) => Rendered
  /** One of the pages that are the same for every sale. */
  stablePage: (page: (typeof stablePages)[number], brand: Brand) => Rendered
}

/** The path of a page is its name. `orders` is published last: while it is outdated, others may be too. */
export const stablePages = ['accessibility', 'customer', 'wallet', 'orders'] as const

export type PagePorts = Pick<ShopContext, 'site' | 'table' | 'clock'> & { templates: Templates }

/** The maximum of sales on the index: open ones first, then the next to open, then those that started last. */
export const maxOnIndex = 100

const indexPath = 'index.html'

export const htmlObject = { contentType: 'text/html; charset=utf-8', cacheControl: pageCaching }

export async function publishSalePage({ site, table, templates, clock }: PagePorts, saleId: SaleId): Promise<void> {
  await publishLatest(site, { path: pagePath(saleId), ...htmlObject }, async () => {
    const [record, { brand }] = await Promise.all([findSale(table, saleId), findBrand(table)])
    return record && snapshot(await templates.salePage(record.sale, { now: clock(), brand }))
  })
}

/**
 * Publishes the index of warmed sales, without drafts. The list may lag behind a sale that was just changed, so the caller
 * names that sale and it is read separately.
 */
export async function publishIndex(ports: PagePorts, changed?: { saleId: SaleId }): Promise<void> {
  const { site, table } = ports
  await publishLatest(site, { path: indexPath, ...htmlObject }, async () => {
    const listed = await salesNear(ports)
    if (changed === undefined) return snapshot(await indexOf(ports, listed))
    const record = await findSale(table, changed.saleId)
    const others = listed.filter(({ saleId }) => saleId !== changed.saleId)
    return snapshot(await indexOf(ports, record === undefined ? others : [...others, record.sale]))
  })
}

/** Publishes the first index of a new site. Keeps a page published meanwhile, because it is newer. */
export async function publishFirstIndex(ports: PagePorts): Promise<void> {
  const { site } = ports
  if ((await site.read(indexPath)) !== undefined) return
  await site.create({ path: indexPath, ...htmlObject, body: await indexOf(ports, await salesNear(ports)) })
}

/** Returns the warmed sales before and after now, as many of each as the index may need. */
async function salesNear({ table, clock }: PagePorts): Promise<readonly Sale[]> {
  const now = clock()
  const sides = await Promise.all(
    (['before', 'from'] as const).map((side) => warmedSales(table, side, now, maxOnIndex)),
  )
  return sides.flat()
}

async function indexOf({ table, templates, clock }: PagePorts, sales: readonly Sale[]): Promise<string> {
  const { brand } = await findBrand(table)
  const now = clock()
  // A sale that is rescheduled during the reads is on both sides.
  const shown = [...new Map(sales.map((sale) => [sale.saleId, sale])).values()]
    .filter(({ warmed, archivedAt }) => warmed && archivedAt === undefined)
    .toSorted((a, b) => rank(a, now) - rank(b, now) || byNearness(a, b, now))
    .slice(0, maxOnIndex)
    .toSorted((a, b) => a.startsAt - b.startsAt || order(a, b))
  return templates.indexPage(shown, brand)
}

/** Ranks open sales first, and ended ones last. */
function rank(sale: Sale, now: number): number {
  if (hasEnded(sale, now)) return 2
  return sale.startsAt <= now ? 0 : 1
}

const byNearness = (a: Sale, b: Sale, now: number) =>
  Math.abs(a.startsAt - now) - Math.abs(b.startsAt - now) || order(a, b)

/** Returns the snapshot of a page. Only marketers change pages, so every change counts. */
export function snapshot(body: string): Snapshot {
  return { body, facts: body, state: body }
}

function order(a: Sale, b: Sale): number {
  return a.saleId < b.saleId ? -1 : 1
}
