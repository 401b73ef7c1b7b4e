/** Adds the pages of the draw to the site, with their scripts, styles and texts, and describes its API. */
import type { SiteSeam } from '../../../static/seams.ts'
import { languages } from '../../../templates/messages/catalogues.ts'
import { titled } from '../../../templates/pages/brand.ts'
import { html } from '../../../templates/pages/html.ts'
import { type Assets, asset, renderPage } from '../../../templates/pages/layout.ts'
import { translator } from '../../../templates/pages/say.ts'
import { drawCheckMessages } from './messages/catalogues.ts'
import { drawCheckPatterns, drawEntryPatterns } from './messages/draw-patterns.ts'

const { say, text } = translator(drawCheckMessages)

const limits = ['invented', 'left', 'head', 'delivered', 'page'] as const

/**
 * Renders the page at `/draw/?sale={saleId}`, on which a reader's browser checks a draw; the script fills in the results. Like
 * the description of the API it has no brand, so that it looks the same in every shop.
 */
function renderDrawPage(assets: Assets): string {
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

const entry = { state: 'entered', variant: 'brown', receipt: 'eyJhbGciOiJFUzI1NiJ9.eyJzYWxlIjoibXVnIn0.c2lnbmF0dXJl' }
const until = Date.UTC(2027, 0, 15, 12, 24)

const texts = {
  getEntry: {
    ...{ tag: 'shopper', summary: 'Read one’s entry in the draw of a sale' },
    description:
      '`not-found`: the sale draws nothing, or its draw is not published yet. An answer with an `offer` sets the cookie `sluice_invited`, which the purchase needs.',
    examples: { answer: { ...entry, place: { rank: 17, of: 4211 }, offer: { until } } },
  },
  putEntry: {
    ...{ tag: 'shopper', summary: 'Enter the draw of a sale, or change the entry' },
    description:
      'The same once more answers the same receipt. `conflict` says by its `reason` why not: `entries-not-open`, `entries-closed` or `changes-used`. `invalid-request` with the `field` `variant` for one that the sale does not have, or for none in a sale with variants.',
    examples: { body: { variant: 'brown' }, answer: entry },
  },
  eraseEntry: {
    ...{ tag: 'shopper', summary: 'Leave the draw of a sale' },
    description: 'Possible until the close. A repeat changes nothing.',
    examples: { answer: { state: 'left', receipt: entry.receipt } },
  },
  getDraw: {
    ...{ tag: 'staff', summary: 'Read how far the draw of a sale is' },
    examples: {
      answer: {
        draw: {
          ...{ phase: 'decided', entrants: 4211, waiting: 4001 },
          offers: { made: 210, bought: 180, open: 20, ended: 10 },
        },
      },
    },
  },
} as const satisfies SiteSeam['texts']

export const site = {
  scripts: ['draw-worker', 'enter-draw'],
  localized: ['draw-check'],
  styles: ['draw', 'enter-draw'],
  words: { 'draw-check': drawCheckPatterns, 'enter-draw': drawEntryPatterns },
  pages: { 'draw/index.html': renderDrawPage },
  texts,
} satisfies SiteSeam
