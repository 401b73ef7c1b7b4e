/**
 * Renders the parts that the pages of all kinds of sale share: the data for their script, the clock, the button, the
 * rounds and the common facts. `PublicSale` has no start token, so no page can leak it (C6).
 */
import type { Language } from '../../core/language.ts'
import { signInPath } from '../../core/people/sign-in-paths.ts'
import { countdownPath, pagePath, pointerPath } from '../../core/sale/pointer.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { pageParts } from '../../options/registry/page-parts.ts'
import { earlyAccessMessages, noScriptMessages, openingMessages } from '../messages/catalogues.ts'
import { words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import { type Assets, asset } from './layout.ts'
import { ownTitle, titleTexts } from './sale-texts.ts'
import { pageLanguages, spanTranslator, translator } from './say.ts'
import type { PagePartsSeam, PublicSale } from './seams.ts'
import { moment, momentOfSale, utcText } from './time.ts'

type SaleWindow = PublicSale['windows'][number]

const { say, text } = translator(openingMessages)

/** Renders the data of the sale for the script, as attributes of the main element. */
export function saleData(sale: PublicSale, assets: Assets): Html {
  const { saleId, kind, price, currency, stock, limitPerShopper, startsAt, endsAt } = sale
  // Until unpaid units are released; 0 for a free sale.
  const minutes = price === 0 ? 0 : Math.ceil(sale.paymentWindowSeconds / 60)
  // The page loads this script once a red packet is claimed.
  const later = kind === 'red-packet' ? html`data-credit-script="${asset(assets, 'follow-credit.js')}"` : html``
  return html`data-sale-id="${saleId}" data-kind="${kind}" data-phase="loading" data-price="${price}"${kind === 'red-packet' ? html` data-currency="${currency}"` : html``} data-stock="${stock}" data-limit="${limitPerShopper}" data-starts-at="${startsAt}" data-ends-at="${endsAt}" data-minutes="${minutes}" ${later} ${challenge(sale, assets)}`
}

/**
 * Renders preloads for the first requests of the script. On a slow connection each sequential request costs seconds. A
 * cached page may name an old countdown; its preload is then wasted.
 */
export function salePreloads({ saleId, version }: PublicSale): readonly Html[] {
  return [
    html`<link rel="preload" as="fetch" crossorigin href="/${pointerPath(saleId)}">\n`,
    html`<link rel="modulepreload" href="/${countdownPath(saleId, version)}">\n`,
  ]
}

export const checkStyles = ({ challenge }: Pick<PublicSale, 'challenge'>): string[] =>
  challenge === 'off' ? [] : ['check.css']

/**
 * Renders the addresses of the scripts for the person check (R5), even if the sale does not use it: a marketer may switch
 * it on while the page is open.
 */
function challenge(sale: PublicSale, assets: Assets): Html {
  const script = asset(assets, 'challenge.js')
  const worker = asset(assets, 'challenge-worker.js')
  return html`data-challenge="${sale.challenge}" data-challenge-script="${script}" data-challenge-worker="${worker}"`
}

/** Renders the badge, the title and the price. */
export function saleHead(sale: PublicSale, price: Html): Html {
  return html`<div class="sale__head"><p><span class="badge" id="phase">${say('phase.loading')}</span></p>
<h1${titleTexts(sale)}>${ownTitle(sale)}</h1>
<p class="price">${price}</p></div>`
}

/** Renders the countdown to the start, and then to the end. Until the script runs it shows the start time. */
export function saleClock(sale: PublicSale): Html {
  return html`<section class="clock">
<p class="clock__label" id="clock-label">${say('facts.starts')}</p>
<div class="clock__digits" id="countdown" role="timer" aria-labelledby="clock-label">
${digits('days', 'time.days')}${digits('hours', 'time.hours')}${digits('minutes', 'time.minutes')}${digits('seconds', 'time.seconds')}</div>
<p class="clock__at" id="clock-at">${moment(sale.startsAt)}</p>
<p class="clock__next" id="next-round" hidden></p>
${earlyAccessLine(sale)}${ofOptions.map((part) => part.note?.(sale) ?? html``)}<noscript>${pageLanguages().map((language) => withoutScript(sale, language))}</noscript>
</section>`
}

/** Renders start and end for readers without scripts. */
function withoutScript({ startsAt, endsAt }: PublicSale, language: Language): Html {
  const args = { start: utcText(startsAt), end: utcText(endsAt) }
  return html`<p class="clock__plain" lang="${language}">${words(noScriptMessages['noScript.times'], language, args)}</p>`
}

function digits(id: string, key: keyof typeof openingMessages): Html {
  return html`<span class="digit" id="${id}"><b>––</b>${say(key)}</span>`
}

export const ofOptions: readonly PagePartsSeam[] = Object.values(pageParts)

/** Renders the button, the news above it and the remaining units below it. `beside` precedes the button. */
export function saleButton(
  sale: PublicSale,
  { beside, left, assets }: { beside: Html; left: Html; assets: Assets },
): Html {
  return html`<section class="buy">
<p id="status" class="status" role="status" aria-live="polite"></p>
<div class="buy__row">${beside}
<button type="button" id="buy" class="button button--buy" aria-disabled="true" aria-describedby="status check-words"><span id="buy-label">${text('button.loading')}</span></button>
</div>
<div id="check" class="check" hidden><p id="check-words" role="status">${say('check.later')}</p><div id="check-widget"></div></div>
<div class="left"><p id="remaining" class="left__words">${left}</p><span class="left__bar" id="remaining-bar" aria-hidden="true"></span></div>
${ofOptions.map((part) => part.line?.(sale, assets) ?? html``)}<p class="others"><a href="/">${say('others.link')}</a></p>
</section>`
}

/** Renders the windows of a sale that has several (R7). The script marks the current one. */
export function saleRounds(sale: PublicSale, title: Html, contentOf: (saleWindow: SaleWindow) => Html): Html {
  const { windows } = sale
  if (windows.length < 2) return html``
  const items = windows.map(
    (saleWindow) => html`
<li class="round" data-starts-at="${saleWindow.startsAt}"><span class="round__when">${momentOfSale(sale, saleWindow.startsAt)}</span>
<span class="round__rest">${say('round.until')} ${momentOfSale(sale, saleWindow.endsAt)} · ${contentOf(saleWindow)}</span>
<span class="round__state"></span></li>`,
  )
  return html`<h2>${title}</h2>
<ol id="rounds" class="rounds">${items}</ol>
`
}

/** Renders start and end of a sale with one window. */
export function startAndEnd(sale: PublicSale): Html {
  if (sale.windows.length >= 2) return html``
  return html`<div><dt>${say('facts.starts')}</dt><dd>${momentOfSale(sale, sale.startsAt)}</dd></div>
<div><dt>${say('facts.ends')}</dt><dd>${momentOfSale(sale, sale.endsAt)}</dd></div>
`
}

/** Renders the script for a sale with a time zone of its own. */
export const zoneScript = ({ timeZone }: Pick<PublicSale, 'timeZone'>, assets: Assets): readonly Html[] =>
  timeZone === undefined ? [] : [html`<script type="module" src="${asset(assets, 'sale-zone.js')}"></script>\n`]

/** Renders the level that shoppers need, so that others do not wait for the start (R6). */
export function membersLevel({ minLevel }: PublicSale): Html {
  if (minLevel === 0) return html``
  return html`<div><dt>${say('facts.members')}</dt><dd>${say('facts.level', { n: minLevel })}</dd></div>
`
}

const sayEarly = spanTranslator(earlyAccessMessages)

/** Renders the fact about early access. */
export function earlyAccessFact({ earlyAccess }: Pick<Sale, 'earlyAccess'>): Html {
  if (earlyAccess === undefined) return html``
  const { minutes, minLevel: level } = earlyAccess
  return html`<div><dt>${sayEarly('member.title')}</dt><dd>${sayEarly('member.level', { minutes, level })}</dd></div>
`
}

/** Renders the line that the script shows while only members may buy. */
function earlyAccessLine(sale: Pick<Sale, 'saleId' | 'earlyAccess'>): Html {
  const { saleId, earlyAccess } = sale
  if (earlyAccess === undefined) return html``
  return html`<p class="clock__next" id="early" hidden>${sayEarly('member.now')} <b id="early-left" role="timer"></b><br>
<a id="early-sign-in" href="${signInPath(`/${pagePath(saleId)}`.replace('index.html', ''))}">${sayEarly('member.signIn')}</a></p>
`
}
