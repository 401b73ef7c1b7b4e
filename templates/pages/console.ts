/** Renders the shell of the marketer's console. Its script draws the views. */
import { consoleMessages, languages } from '../messages/catalogues.ts'
import { titled } from './brand.ts'
import { html } from './html.ts'
import { type Assets, confirmPlace, renderPage } from './layout.ts'
import { translator } from './say.ts'

const { label, say, text } = translator(consoleMessages)

export function renderConsolePage(assets: Assets): string {
  return renderPage({ name: 'Sluice', languages: [...languages] }, () => ({
    name: 'console',
    title: titled(consoleMessages['console.pageTitle'], { name: 'Sluice' }),
    description: text('console.title'),
    assets,
    styles: ['sluice.css', 'forms.css', 'console.css', 'sale-form.css'],
    script: 'console',
    // The skip link also skips the tabs.
    skipTo: 'view',
    links: html`<a href="/" id="to-shop">${say('console.toShop')}</a>`,
    main: html`<main id="main" class="console" data-assets="${JSON.stringify(assets)}">
<nav class="tabs" ${label('console.title')}>
<a href="#/" data-tab="sales">${say('console.sales')}</a>
<a href="#/orders" data-tab="orders" hidden>${say('console.orders')}</a>
<a href="#/brand" data-tab="brand" hidden>${say('console.brand')}</a>
<a href="#/audit" data-tab="audit" hidden>${say('console.audit')}</a>
<a href="#/settings" data-tab="settings" hidden>${say('console.settings')}</a>
</nav>
<div class="access note"><span id="access"></span><span id="system"></span></div>
<p id="status" class="status" role="status" aria-live="polite"></p>
<div id="view" tabindex="-1" aria-busy="true"><h1>${say('console.title')}</h1><p class="empty">${say('console.loading')}</p></div>
${confirmPlace}
</main>`,
  }))
}
