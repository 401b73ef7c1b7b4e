/** The page templates of the shop with the hashed asset names of this build. */
import { renderAccessibilityPage } from '../../../static/pages/accessibility.ts'
import { renderCustomerPage } from '../../../static/pages/customer.ts'
import { renderOrderPage } from '../../../static/pages/orders.ts'
import { renderRainPage } from '../../../static/pages/rain.ts'
import { renderSalePage } from '../../../static/pages/sale.ts'
import { renderIndexPage } from '../../../static/pages/shop.ts'
import { renderWalletPage } from '../../../static/pages/wallet.ts'
import type { Templates } from './pages.ts'

const stable = {
  accessibility: renderAccessibilityPage,
  customer: renderCustomerPage,
  orders: renderOrderPage,
  wallet: renderWalletPage,
}

/** `assets` maps an asset's name to its public path; `shopUrl` is the address of the shop. */
export function pageTemplates(assets: Readonly<Record<string, string>>, shopUrl: string) {
  return {
    salePage: (sale, published) =>
      (sale.kind === 'red-packet' ? renderRainPage : renderSalePage)(sale, assets, { ...published, shopUrl }),
    indexPage: (sales, brand) => renderIndexPage(sales, assets, brand),
    stablePage: (page, brand) => stable[page](assets, brand),
  } satisfies Templates
}
