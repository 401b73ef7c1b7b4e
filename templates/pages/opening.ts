/**
 * What the pages of all kinds of sale share: what their script reads, the clock, the place of the
 * button, the rounds, and the facts that do not depend on the kind. The start token is not among
 * the fields this file may read, so no rebuild can leak it (C6).
 */
import type { Language } from '../../core/language.ts'
import { signInPath } from '../../core/people/sign-in-paths.ts'
import { countdownPath, pagePath, pointerPath } from '../../core/sale/pointer.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { pageParts } from '../../options/lists/static/page-parts.ts'
import { earlyAccessMessages, noScriptMessages, openingMessages } from '../messages/catalogues.ts'
import { words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import { type Assets, asset } from './layout.ts'
import type { PagePart, PublicSale } from './page-part.ts'
import { ownTitle, titleTexts } from './sale-texts.ts'
import { pageLanguages, sayer, speaker } from './say.ts'
import { moment, momentOfSale, utcText } from './time.ts'

type SaleWindow = PublicSale['windows'][number]

const { say, text } = speaker(openingMessages)

/** What a page says of its sale to its script, as attributes of the main element. */
export function saleData(sale: PublicSale, assets: Assets): Html {
  const { saleId, kind, price, currency, stock, limitPerShopper, startsAt, endsAt } = sale
  // Until units that nobody pays for are back; 0 where nothing is paid.
  const minutes = price === 0 ? 0 : Math.ceil(sale.paymentWindowSeconds / 60)
  // What the page loads with a red packet.
  const later = kind === 'red-packet' ? html`data-credit-script="${asset(assets, 'follow-credit.js')}"` : html``
  return html`data-sale-id="${saleId}" data-kind="${kind}" data-phase="loading" data-price="${price}"${kind === 'red-packet' ? html` data-currency="${currency}"` : html``} data-stock="${stock}" data-limit="${limitPerShopper}" data-starts-at="${startsAt}" data-ends-at="${endsAt}" data-minutes="${minutes}" ${later} ${challenge(sale, assets)}`
}

/**
 * What the script requests first. On a slow connection each request that waits for another costs seconds, so the
 * browser fetches these beside the script. A page from a cache may name an older countdown, which is then useless.
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
 * Where the page finds what it needs for the check that a shopper is a person (R5). Also on the
 * page of a sale that asks for none: a marketer may switch it on while the page is open.
 */
function challenge(sale: PublicSale, assets: Assets): Html {
  const script = asset(assets, 'challenge.js')
  const worker = asset(assets, 'challenge-worker.js')
  return html`data-challenge="${sale.challenge}" data-challenge-script="${script}" data-challenge-worker="${worker}"`
}

/** Badge and title; `price` is what stands beside them. */
export function saleHead(sale: PublicSale, price: Html): Html {
  return html`<div class="sale__head"><p><span class="badge" id="phase">${say('phase.loading')}</span></p>
<h1${titleTexts(sale)}>${ownTitle(sale)}</h1>
<p class="price">${price}</p></div>`
}

/** The clock that counts to the start and then to the end. Until the script runs it says what is sure: the start time. */
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

/** What is sure of a sale without a script. The notice at the top of the page says what is needed to know more. */
function withoutScript({ startsAt, endsAt }: PublicSale, language: Language): Html {
  const args = { start: utcText(startsAt), end: utcText(endsAt) }
  return html`<p class="clock__plain" lang="${language}">${words(noScriptMessages['noScript.times'], language, args)}</p>`
}

function digits(id: string, key: keyof typeof openingMessages): Html {
  return html`<span class="digit" id="${id}"><b>––</b>${say(key)}</span>`
}

export const ofOptions: readonly PagePart[] = pageParts

/** The button with the news above it and how many are left below it; `beside` stands in front of the button. */
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

/** All windows of a sale that has several (R7), with what is in each. Which one it is in is for the browser to say. */
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

/** When a sale of one window starts and ends; the rounds say both for themselves. */
export function startAndEnd(sale: PublicSale): Html {
  if (sale.windows.length >= 2) return html``
  return html`<div><dt>${say('facts.starts')}</dt><dd>${momentOfSale(sale, sale.startsAt)}</dd></div>
<div><dt>${say('facts.ends')}</dt><dd>${momentOfSale(sale, sale.endsAt)}</dd></div>
`
}

/** Loaded beside the script of the page, which knows nothing of zones. */
export const zoneScript = ({ timeZone }: Pick<PublicSale, 'timeZone'>, assets: Assets): readonly Html[] =>
  timeZone === undefined ? [] : [html`<script type="module" src="${asset(assets, 'sale-zone.js')}"></script>\n`]

/** For which members a sale is: who waits for a start should know beforehand that it is for others (R6). */
export function membersLevel({ minLevel }: PublicSale): Html {
  if (minLevel === 0) return html``
  return html`<div><dt>${say('facts.members')}</dt><dd>${say('facts.level', { n: minLevel })}</dd></div>
`
}

const sayEarly = sayer(earlyAccessMessages)

/** Who has early access to the sale, among its facts. */
export function earlyAccessFact({ earlyAccess }: Pick<Sale, 'earlyAccess'>): Html {
  if (earlyAccess === undefined) return html``
  const { minutes, minLevel: level } = earlyAccess
  return html`<div><dt>${sayEarly('member.title')}</dt><dd>${sayEarly('member.level', { minutes, level })}</dd></div>
`
}

/** The line that the script shows while only members may buy. Its time is no news: it changes each second. */
function earlyAccessLine(sale: Pick<Sale, 'saleId' | 'earlyAccess'>): Html {
  const { saleId, earlyAccess } = sale
  if (earlyAccess === undefined) return html``
  return html`<p class="clock__next" id="early" hidden>${sayEarly('member.now')} <b id="early-left" role="timer"></b><br>
<a id="early-sign-in" href="${signInPath(`/${pagePath(saleId)}`.replace('index.html', ''))}">${sayEarly('member.signIn')}</a></p>
`
}
