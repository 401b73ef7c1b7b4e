/** The draw on the page of its sale: its times, printed for every reader, and the place of what its script shows. */
import { lastDraws } from '../../core/sale/sale-draw.ts'
import { exactDuration } from '../client/lib/time-text.ts'
import { drawEntryMessages } from '../messages/catalogues.ts'
import { type Arguments, words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import { type Assets, asset } from './layout.ts'
import type { PublicSale } from './opening.ts'
import { ownLanguage, textsAttribute } from './say.ts'
import { moment } from './time.ts'

type Key = keyof typeof drawEntryMessages

const say = (key: Key, args: Arguments = {}): Html =>
  html`<span${textsAttribute((language) => words(drawEntryMessages[key], language, args))}>${words(drawEntryMessages[key], ownLanguage(), args)}</span>`

/** Loaded beside the script of the page, which knows nothing of draws: other sales carry no byte of it. */
export function drawScript({ draw }: Pick<PublicSale, 'draw'>, assets: Assets): readonly Html[] {
  return draw === undefined
    ? []
    : [html`<script type="module" src="${asset(assets, 'enter-draw.js')}"></script>\n`]
}

export const drawStyles = ({ draw }: Pick<PublicSale, 'draw'>): string[] =>
  draw === undefined ? [] : ['enter-draw.css']

/** Nothing for a sale that does not draw. */
export function drawSection({ saleId, draw, stock }: Pick<PublicSale, 'saleId' | 'draw' | 'stock'>): Html {
  if (draw === undefined) return html``
  const { opensAt, closesAt, commitSeconds, claimSeconds, mostInGroup, series } = draw
  const drawnAt = closesAt + 1000 * commitSeconds
  const times = html`data-opens-at="${opensAt}" data-closes-at="${closesAt}" data-drawn-at="${drawnAt}" data-units="${stock}" data-most-in-group="${mostInGroup}"`
  return html`<section class="enter" id="enter" aria-labelledby="enter-title" ${times}>
<h2 id="enter-title" tabindex="-1">${say('entry.title')}</h2>
<p class="enter__how">${series === undefined ? say('entry.how') : say('entry.howSeries', { most: lastDraws })}</p>
<div id="enter-state"></div>
<p id="enter-status" class="status" role="status"></p>
<dl class="facts"><div><dt>${say('entry.period')}</dt><dd>${moment(opensAt)} – ${moment(closesAt)}</dd></div>
<div><dt>${say('entry.result')}</dt><dd>${moment(drawnAt)}</dd></div>
<div><dt>${say('entry.claim')}</dt><dd>${claimTime(claimSeconds)}</dd></div></dl>
<p class="enter__check"><a href="/draw/?sale=${saleId}">${say('entry.check')}</a></p>
</section>
`
}

const timeKeys = { hours: 'entry.hours', minutes: 'entry.minutes', seconds: 'entry.seconds' } as const

function claimTime(seconds: number): Html {
  const { unit, n } = exactDuration(seconds)
  return say(timeKeys[unit], { n })
}
