/**
 * Loads the page templates with the first page, from a file of their own: with their texts in all languages they are a quarter
 * of a bundle, and most invocations publish no page.
 */
import { lazyLoad } from '../../lib/lazy-load.ts'
import type { Templates } from './pages.ts'

/** `assets` maps an asset's name to its public path; `shopUrl` is the address of the shop. */
export function templatesAtFirstPage(assets: Readonly<Record<string, string>>, shopUrl: string): Templates {
  const load = lazyLoad(async () => (await import('./templates.ts')).pageTemplates(assets, shopUrl))
  return {
    salePage: async (sale, published) => (await load()).salePage(sale, published),
    indexPage: async (sales, brand) => (await load()).indexPage(sales, brand),
    stablePage: async (page, brand) => (await load()).stablePage(page, brand),
  }
}
