/** Renders the page that opens the session of a shop's own customer, for links that a shop signs. */
import type { Brand } from '../../core/brand.ts'
import { customerMessages } from '../messages/catalogues.ts'
import { titled } from './brand.ts'
import { html } from './html.ts'
import { type Assets, renderPage } from './layout.ts'
import { translator } from './say.ts'

const { say, text } = translator(customerMessages)

export function renderCustomerPage(assets: Assets, brand: Brand): string {
  return renderPage(brand, () => ({
    name: 'customer',
    title: titled(customerMessages['customer.pageTitle'], brand),
    description: text('customer.pageTitle'),
    preview: html`<meta name="robots" content="noindex">\n`,
    assets,
    styles: ['plain.css'],
    script: 'customer',
    main: html`<main id="main" class="narrow">
<section>
<h1 id="title" tabindex="-1">${say('customer.working')}</h1>
<p id="lead" class="lead" role="status"></p>
<p id="actions" class="actions"></p>
</section>
</main>`,
  }))
}
