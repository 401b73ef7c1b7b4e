/** Renders the shell of the wallet page. Its script shows the shopper's balances and credits. */
import type { Brand } from '../../core/brand.ts'
import { walletMessages } from '../messages/catalogues.ts'
import { titled } from './brand.ts'
import { html } from './html.ts'
import { type Assets, asset, renderPage } from './layout.ts'
import { translator } from './say.ts'

const { say, text } = translator(walletMessages)

export function renderWalletPage(assets: Assets, brand: Brand): string {
  return renderPage(brand, () => ({
    name: 'wallet',
    title: titled(walletMessages['wallet.pageTitle'], brand),
    description: text('wallet.title'),
    assets,
    styles: ['sluice.css', 'wallet.css'],
    script: 'wallet',
    main: html`<main id="main" class="narrow" data-coupons-script="${asset(assets, 'wallet-coupons.js')}" data-qr-script="${asset(assets, 'coupon-qr.js')}">
<p id="status" class="status" role="status" aria-live="polite"></p>
<div id="wallet" aria-busy="true"><h1>${say('wallet.title')}</h1><p class="empty">${say('wallet.loading')}</p></div>
<details id="coupons" hidden><summary>${say('wallet.coupons')}</summary><div id="coupons-place"></div></details>
</main>`,
  }))
}
