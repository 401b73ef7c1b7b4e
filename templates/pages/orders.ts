/** Renders the shell of the orders page. Its script shows one order (`?id=`) or the shopper's list. */
import type { Brand } from '../../core/brand.ts'
import { ordersMessages } from '../messages/catalogues.ts'
import { titled } from './brand.ts'
import { type Html, html } from './html.ts'
import { type Assets, asset, confirmPlace, renderPage } from './layout.ts'
import { translator } from './say.ts'

const { say, text } = translator(ordersMessages)

/** Renders the selling company, for the bills on the page. */
function sellerOf({ seller }: Brand): Html {
  if (seller === undefined) return html``
  const { name, address, email, phone, taxId } = seller
  const parts = [name, address, phone, ...(taxId === undefined ? [] : [taxId])].map((part) => html`${part} · `)
  return html`<p id="seller" class="terms">${say('orders.seller')} ${parts}<a href="mailto:${email}">${email}</a></p>
`
}

/** Renders the page at `/orders/`. */
export function renderOrderPage(assets: Assets, brand: Brand): string {
  return renderPage(brand, () => ({
    name: 'orders',
    title: titled(ordersMessages['orders.pageTitle'], brand),
    description: text('orders.title'),
    assets,
    styles: ['sluice.css', 'orders.css'],
    script: 'orders',
    main: html`<main id="main" class="narrow" data-qr-script="${asset(assets, 'coupon-qr.js')}" data-own-data-script="${asset(assets, 'own-data.js')}">
<p id="status" class="status" role="status" aria-live="polite"></p>
<div id="orders" aria-busy="true"><h1>${say('orders.title')}</h1><p class="empty">${say('orders.loading')}</p></div>
<div id="announcements" class="unseen" role="status" aria-live="polite"></div>
<details id="own-data" hidden><summary>${say('orders.ownData')}</summary><div id="own-data-place" class="stack"></div></details>
${sellerOf(brand)}${confirmPlace}
</main>`,
  }))
}
