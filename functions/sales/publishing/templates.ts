/** The page templates of the shop with the hashed asset names of this build. */
import { renderRainPage } from '../../../static/pages/rain.ts'
import { renderSalePage } from '../../../static/pages/sale.ts'
import { renderIndexPage } from '../../../static/pages/shop.ts'
import type { Templates } from './pages.ts'

/** `assets` maps an asset's name to its public path. */
export function pageTemplates(assets: Readonly<Record<string, string>>): Templates {
  return {
    salePage: (sale, publication) =>
      (sale.kind === 'red-packet' ? renderRainPage : renderSalePage)(sale, assets, publication),
    indexPage: (sales) => renderIndexPage(sales, assets),
  }
}
