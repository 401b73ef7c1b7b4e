/**
 * The page on which a reader's browser checks a draw: what stays the same for every draw, around what its script shows. Like the
 * description of the API it is the same for every shop, so that a reader who knows it from one shop knows it from all.
 */
import { languages } from '../../../../static/messages/catalogues.ts'
import { titled } from '../../../../static/pages/brand.ts'
import { html } from '../../../../static/pages/html.ts'
import { type Assets, asset, renderPage } from '../../../../static/pages/layout.ts'
import { speaker } from '../../../../static/pages/say.ts'
import { drawCheckMessages } from '../messages/catalogues.ts'

const { say, text } = speaker(drawCheckMessages)

const limits = ['invented', 'left', 'head', 'delivered', 'page'] as const

/** The page at `/draw/?sale={saleId}`. */
export function renderDrawPage(assets: Assets): string {
  return renderPage({ languages: [...languages] }, () => ({
    name: 'draw',
    title: titled(drawCheckMessages['verify.pageTitle'], {}),
    description: text('verify.lead'),
    assets,
    styles: ['draw.css'],
    script: 'draw-check',
    main: html`<main id="main" class="narrow draw stack" data-worker="${asset(assets, 'draw-worker.js')}">
<h1>${say('verify.title')}</h1>
<p class="lead">${say('verify.lead')}</p>
<div id="work" class="stack"></div>
<div id="verdict" class="stack" role="status"></div>
<div id="draw" class="stack"></div>
<h2>${say('limit.title')}</h2>
<p>${say('limit.lead')}</p>
<ul class="stack">${limits.map(
      (limit) => html`
<li><b>${say(`limit.${limit}`)}</b> ${say(`limit.${limit}More`)}</li>`,
    )}
</ul>
<p><code id="address"></code></p>
</main>`,
  }))
}
