/** The complete HTML pages of the shop that follow from sales: one per sale, and the index. */

import type { Brand } from '../../../core/brand.ts'
import type { SaleId } from '../../../core/ids.ts'
import { pagePath } from '../../../core/sale/pointer.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { Publication } from '../../../static/pages/preview.ts'
import type { Shop } from '../../shop/shop.ts'
import { pageCaching } from '../../shop/site.ts'
import { findBrand } from '../../table/sale/brand.ts'
import { currentSales, findSale } from '../../table/sale/sales.ts'
import { publishLatest, type Truth } from './publish-latest.ts'
import { shopUrlOf } from './shop-url.ts'

/** Pure; everything in a sale is escaped. */
export type Templates = {
  salePage: (sale: Sale, publication: Publication) => string
  indexPage: (sales: readonly Sale[], brand: Brand) => string
  ordersPage: (brand: Brand) => string
  walletPage: (brand: Brand) => string
  customerPage: (brand: Brand) => string
}

/** What is needed to publish a page. */
export type PagePorts = Pick<Shop, 'site' | 'table' | 'clock'> & { templates: Templates }

/** Sales on the index at most: the ones that start last. */
export const maxOnIndex = 100

const indexPath = 'index.html'

export const html = { contentType: 'text/html; charset=utf-8', cacheControl: pageCaching }

/** Publishes the page of one sale. */
export async function publishSalePage(
  { site, table, templates, clock }: PagePorts,
  saleId: SaleId,
): Promise<void> {
  const shopUrl = await shopUrlOf(site)
  await publishLatest(site, { path: pagePath(saleId), ...html }, async () => {
    const [record, { brand }] = await Promise.all([findSale(table, saleId), findBrand(table)])
    return record && asTruth(templates.salePage(record.sale, { now: clock(), shopUrl, brand }))
  })
}

/**
 * Publishes the index of all warmed sales; drafts are not listed. The list may lag behind a sale
 * that was just changed, so the caller names that sale and it is read separately.
 */
export async function publishIndex(
  { site, table, templates }: PagePorts,
  changed?: { saleId: SaleId },
): Promise<void> {
  await publishLatest(site, { path: indexPath, ...html }, async () => {
    const { brand } = await findBrand(table)
    const all = await currentSales(table)
    if (changed === undefined) return asTruth(indexOf(templates, all, brand))
    const listed = all.filter(({ saleId }) => saleId !== changed.saleId)
    const record = await findSale(table, changed.saleId)
    return asTruth(indexOf(templates, record === undefined ? listed : [...listed, record.sale], brand))
  })
}

/**
 * Publishes the first index of a new site. A page published meanwhile stays, because it is newer.
 */
export async function publishFirstIndex({ site, table, templates }: PagePorts): Promise<void> {
  if ((await site.read(indexPath)) !== undefined) return
  const { brand } = await findBrand(table)
  await site.create({ path: indexPath, ...html, body: indexOf(templates, await currentSales(table), brand) })
}

function indexOf(templates: Templates, sales: readonly Sale[], brand: Brand): string {
  const shown = sales
    .filter(({ warmed, archivedAt }) => warmed && archivedAt === undefined)
    .sort((a, b) => a.startsAt - b.startsAt || order(a, b))
  return templates.indexPage(shown.slice(-maxOnIndex), brand)
}

/** Only marketers change a page, so every change of it counts. */
export function asTruth(body: string): Truth {
  return { body, facts: body, state: body }
}

function order(a: Sale, b: Sale): number {
  return a.saleId < b.saleId ? -1 : 1
}
