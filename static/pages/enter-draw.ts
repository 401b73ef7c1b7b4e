/** The draw or the standby list on the page of its sale: its times, printed for every reader, and the place of what its script shows. */
import type { Language } from '../../core/language.ts'
import { formatMoney } from '../../core/money.ts'
import { drawOf, headsEveryMs, lastDraws, type SaleDraw } from '../../core/sale/sale-draw.ts'
import { exactDuration } from '../client/lib/time-text.ts'
import { drawEntryMessages } from '../messages/catalogues.ts'
import { type Arguments, words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import { type Assets, asset } from './layout.ts'
import type { PublicSale } from './opening.ts'
import { ownLanguage, textsAttribute } from './say.ts'
import { momentOfSale } from './time.ts'

type Key = keyof typeof drawEntryMessages

const say = (key: Key, args: Arguments = {}): Html =>
  html`<span${textsAttribute((language) => words(drawEntryMessages[key], language, args))}>${words(drawEntryMessages[key], ownLanguage(), args)}</span>`

type Drawn = Pick<PublicSale, 'draw' | 'standby' | 'standbyFrom' | 'standbyOver' | 'timeZone' | 'currency'>

/** A standby list is shown until it is over; before it begins, once the page sees that the sale has sold out. */
const hasSection = ({ draw, standby, standbyOver }: Drawn) =>
  draw !== undefined || (standby !== undefined && standbyOver !== true)

/** Loaded beside the script of the page, which knows nothing of draws: other sales carry no byte of it. */
export function drawScript(sale: Drawn, assets: Assets): readonly Html[] {
  if (!hasSection(sale)) return []
  const script = drawOf(sale) === undefined ? 'await-standby.js' : 'enter-draw.js'
  return [html`<script type="module" src="${asset(assets, script)}"></script>\n`]
}

export const drawStyles = (sale: Drawn): string[] => (hasSection(sale) ? ['enter-draw.css'] : [])

/** Nothing for a sale that does not draw. */
export function drawSection(sale: Drawn & Pick<PublicSale, 'saleId' | 'stock'>, assets: Assets): Html {
  if (!hasSection(sale)) return html``
  const { saleId, draw: own, standby, stock } = sale
  const draw = drawOf(sale)
  const isStandby = own === undefined
  const claimSeconds = (draw ?? standby)?.claimSeconds ?? 0
  const attributes = isStandby
    ? html` data-standby="${asset(assets, 'enter-draw.js')}"${draw === undefined ? html` hidden` : html``}`
    : html``
  const how = own?.series === undefined ? say('entry.how') : say('entry.howSeries', { most: lastDraws })
  return html`<section class="enter" id="enter" aria-labelledby="enter-title"${attributes}${draw === undefined ? html`` : timesOf(draw, isStandby ? 0 : stock)}>
<h2 id="enter-title" tabindex="-1">${say(isStandby ? 'standby.title' : 'entry.title')}</h2>
<p class="enter__how">${isStandby ? howOfList(standby) : how}</p>
<div id="enter-state"></div>
<p id="enter-status" class="status" role="status"></p>
<dl class="facts">${draw === undefined ? html`` : periodOf(sale, draw)}<div><dt>${say(isStandby ? 'standby.claim' : 'entry.claim')}</dt><dd>${claimTime(claimSeconds)}</dd></div>${own === undefined ? html`` : chancesOf(sale, own)}</dl>
<p class="enter__check"><a href="/draw/?sale=${saleId}">${say(isStandby ? 'standby.check' : 'entry.check')}</a></p>
</section>
`
}

/** How a standby list ranks; the batches of one by the time of joining are as long as the time to join makes them. */
function howOfList({ joinSeconds = 0, rank }: Partial<NonNullable<PublicSale['standby']>> = {}): Html {
  if (rank === undefined) return say('standby.how')
  const every = headsEveryMs({ opensAt: 0, closesAt: 1000 * joinSeconds, ranks: rank })
  return say('standby.howJoined', { n: Math.ceil(every / 1000) })
}

/** What the script reads; \`units\` are those that the draw itself gives away. */
function timesOf({ opensAt, closesAt, commitSeconds, mostInGroup }: SaleDraw, units: number): Html {
  return html` data-opens-at="${opensAt}" data-closes-at="${closesAt}" data-drawn-at="${closesAt + 1000 * commitSeconds}" data-units="${units}" data-most-in-group="${mostInGroup}"`
}

function periodOf(sale: Drawn, { opensAt, closesAt, commitSeconds }: SaleDraw): Html {
  return html`<div><dt>${say('entry.period')}</dt><dd><bdi>${momentOfSale(sale, opensAt)}</bdi> – <bdi>${momentOfSale(sale, closesAt)}</bdi></dd></div>
<div><dt>${say('entry.result')}</dt><dd>${momentOfSale(sale, closesAt + 1000 * commitSeconds)}</dd></div>
`
}

/** What the law may ask to say before a draw; the odds are a text of the shop. */
function chancesOf({ currency }: Drawn, { odds, prizeValue: amount }: SaleDraw): Html {
  const said = odds === undefined ? html`` : html`<div><dt>${say('entry.odds')}</dt><dd>${odds}</dd></div>`
  if (amount === undefined) return said
  const textIn = (language: Language) => formatMoney({ amount, currency }, language)
  return html`${said}<div><dt>${say('entry.prizeValue')}</dt><dd><span${textsAttribute(textIn)}>${textIn(ownLanguage())}</span></dd></div>`
}

const timeKeys = { hours: 'entry.hours', minutes: 'entry.minutes', seconds: 'entry.seconds' } as const

function claimTime(seconds: number): Html {
  const { unit, n } = exactDuration(seconds)
  return say(timeKeys[unit], { n })
}
