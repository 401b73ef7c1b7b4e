/** Every page of the site, as it is published for sales of each kind. */
import type { PageName } from '../../checks/messages.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { site } from '../../options/registry/site.ts'
import type { SiteSeam } from '../../static/seams.ts'
import { renderAccessibilityPage } from '../../templates/pages/accessibility.ts'
import { renderConsolePage } from '../../templates/pages/console.ts'
import { renderCustomerPage } from '../../templates/pages/customer.ts'
import { renderOrderPage } from '../../templates/pages/orders.ts'
import { renderRainPage } from '../../templates/pages/rain.ts'
import { renderSalePage } from '../../templates/pages/sale.ts'
import { renderIndexPage } from '../../templates/pages/shop.ts'
import { renderSignInPage } from '../../templates/pages/sign-in.ts'
import { renderWalletPage } from '../../templates/pages/wallet.ts'
import { aSale, saleIdOf } from '../redis/support.ts'

/** Every asset that a page names exists. */
export const assets: Record<string, string> = new Proxy({}, { get: (_, name) => `/assets/${String(name)}` })
/** An hour before the sale. */
export const published = { now: 1_763_000_000_000 - 3_600_000, shopUrl: 'https://shop.example', brand: {} }

const saleId = saleIdOf('mug')
export const sale = aSale({
  ...{ saleId, title: 'Stoneware mug', description: 'By hand.\n\nOne hundred of them.' },
  ...{
    pictures: [{ src: '/assets/pictures/mug.svg', alt: 'The product' }],
    stock: 100,
    limitPerShopper: 3,
    maxPerOrder: 3,
  },
  ...{ startsAt: 1_763_000_000_000, endsAt: 1_763_003_600_000 },
  ...{ startToken: 'the-secret-start-token-of-this-epoch', version: 4 },
})

export const coupon: Sale = {
  ...sale,
  kind: 'coupon',
  price: 0,
  coupons: { validFrom: sale.endsAt + 1, validUntil: 1_893_456_000_000 },
}

export const shirts: Sale = {
  ...sale,
  stock: 30,
  variants: [
    { id: 's', name: 'Black, S', stock: 10 },
    { id: 'm', name: '<b>Black, M</b>', stock: 20 },
  ],
}

export const rain: Sale = {
  ...sale,
  kind: 'red-packet',
  title: 'Spring festival packets',
  price: 0,
  stock: 1000,
  packets: { count: 1000, totalAmount: 500_000 },
}

const ofOptions: readonly SiteSeam[] = Object.values(site)
/** By the names of the words that their scripts have. */
const pagesOfOptions = Object.fromEntries(
  ofOptions.flatMap(({ pages = {}, localized = [] }) =>
    Object.values(pages).map((render, at) => [localized[at], render(assets)]),
  ),
)
export const pages: Record<PageName, string> = {
  shop: renderIndexPage([sale], assets, {}),
  sale: renderSalePage(sale, assets, published),
  coupon: renderSalePage(coupon, assets, published),
  variants: renderSalePage(shirts, assets, published),
  rain: renderRainPage(rain, assets, published),
  orders: renderOrderPage(assets, {}),
  wallet: renderWalletPage(assets, {}),
  customer: renderCustomerPage(assets, {}),
  accessibility: renderAccessibilityPage(assets, {}),
  ...pagesOfOptions,
  'sign-in': renderSignInPage(assets),
  console: renderConsolePage(assets),
}
export const everyPage = Object.entries(pages)
