/** The page templates with the hashed asset names of this build. */
import { renderAccessibilityPage } from '../../../templates/pages/accessibility.ts'
import { renderCustomerPage } from '../../../templates/pages/customer.ts'
import { renderOrderPage } from '../../../templates/pages/orders.ts'
import { renderRainPage } from '../../../templates/pages/rain.ts'
import { renderSalePage } from '../../../templates/pages/sale.ts'
import { renderIndexPage } from '../../../templates/pages/shop.ts'
import { renderWalletPage } from '../../../templates/pages/wallet.ts'
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
