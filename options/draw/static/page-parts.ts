/** The draw on the page of its sale: its times, and the element that its script fills. */
import { shopMessages } from '../../../templates/messages/catalogues.ts'
import { exactDuration } from '../../../templates/messages/time-text.ts'
import { type Html, html } from '../../../templates/pages/html.ts'
import { type Assets, asset } from '../../../templates/pages/layout.ts'
import { spanTranslator, translator } from '../../../templates/pages/say.ts'
import type { PagePartsSeam, PublicSale } from '../../../templates/pages/seams.ts'
import { momentOfSale } from '../../../templates/pages/time.ts'
import type { SaleDraw } from '../core/fields.ts'
import { drawEntryMessages } from './messages/catalogues.ts'

const say = spanTranslator(drawEntryMessages)
const { say: shopSay } = translator(shopMessages)

type Drawn = Pick<PublicSale, 'timeZone'> & { draw?: SaleDraw | undefined }

/** Returns the script of the draw. The page's own script contains nothing of it, so other sales load no byte more. */
function scripts({ draw }: Drawn, assets: Assets): readonly Html[] {
  if (draw === undefined) return []
  return [html`<script type="module" src="${asset(assets, 'enter-draw.js')}"></script>\n`]
}

const styles = ({ draw }: Drawn): string[] => (draw === undefined ? [] : ['enter-draw.css'])

/** Renders the section of the draw; empty for a sale without one. */
function section(sale: Drawn & Pick<PublicSale, 'saleId'>): Html {
  const { saleId, draw } = sale
  if (draw === undefined) return html``
  const { opensAt, closesAt, commitSeconds, claimSeconds } = draw
  return html`<section class="enter panel stack" id="enter" aria-labelledby="enter-title" data-opens-at="${opensAt}" data-closes-at="${closesAt}" data-drawn-at="${closesAt + 1000 * commitSeconds}">
<h2 id="enter-title" tabindex="-1">${say('entry.title')}</h2>
<p class="enter__how">${say('entry.how')}</p>
<div id="enter-state" class="stack"></div>
<p id="enter-status" class="status" role="status"></p>
<dl class="facts">${periodOf(sale, draw)}<div><dt>${say('entry.claim')}</dt><dd>${claimTime(claimSeconds)}</dd></div></dl>
<p><a href="/draw/?sale=${saleId}">${say('entry.check')}</a></p>
</section>
`
}

function periodOf(sale: Drawn, { opensAt, closesAt, commitSeconds }: SaleDraw): Html {
  return html`<div><dt>${say('entry.period')}</dt><dd><bdi>${momentOfSale(sale, opensAt)}</bdi> – <bdi>${momentOfSale(sale, closesAt)}</bdi></dd></div>
<div><dt>${say('entry.result')}</dt><dd>${momentOfSale(sale, closesAt + 1000 * commitSeconds)}</dd></div>
`
}

const timeKeys = { hours: 'entry.hours', minutes: 'entry.minutes', seconds: 'entry.seconds' } as const

function claimTime(seconds: number): Html {
  const { unit, n } = exactDuration(seconds)
  return say(timeKeys[unit], { n })
}

const card = ({ draw }: Drawn): Html => (draw === undefined ? html`` : html` <small>${shopSay('shop.draw')}</small>`)

const note = ({ draw }: Drawn): Html =>
  draw === undefined ? html`` : html`<p class="clock__next">${say('entry.onlyWinners')}</p>\n`

export const pageParts = { styles, scripts, card, note, section } satisfies PagePartsSeam
