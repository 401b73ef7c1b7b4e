/**
 * The sale page: complete HTML, the same for every shopper, cached long (C1, C2). Only the button, the clock
 * and the remaining count change, and the browser fetches those. The start token is not among the fields
 * this file may read, so no rebuild can leak it (C6).
 */
import { formatMoney } from '../../core/money.ts'
import type { Sale } from '../../core/sale.ts'
import { saleMessages } from '../messages/sale.ts'
import { type Html, html } from './html.ts'
import { type Assets, asset, renderPage } from './layout.ts'
import { speaker } from './say.ts'
import { moment } from './time.ts'

export type PublicSale = Pick<
  Sale,
  | 'saleId'
  | 'title'
  | 'description'
  | 'image'
  | 'price'
  | 'currency'
  | 'stock'
  | 'limitPerShopper'
  | 'maxPerOrder'
  | 'startsAt'
  | 'endsAt'
  | 'paymentWindowSeconds'
  | 'minLevel'
  | 'challenge'
  | 'slots'
>

const { say, label, text } = speaker(saleMessages)

/** The page at `/sales/{saleId}/`. */
export function renderSalePage(sale: PublicSale, assets: Assets): string {
  return renderPage({
    name: 'sale',
    title: `${sale.title} · Sluice`,
    description: sale.description.slice(0, 160),
    assets,
    styles: ['sluice.css'],
    script: 'sale.js',
    main: main(sale, assets),
  })
}

function main(sale: PublicSale, assets: Assets): Html {
  const price = formatMoney({ amount: sale.price, currency: sale.currency }, 'en')
  return html`<main id="main" class="sale" data-sale-id="${sale.saleId}" data-phase="scheduled" data-price="${sale.price}" data-currency="${sale.currency}" data-stock="${sale.stock}" data-starts-at="${sale.startsAt}" data-ends-at="${sale.endsAt}" ${challenge(sale, assets)}>
<div class="sale__picture"><img src="${sale.image}" alt="${sale.title}" width="1200" height="1200" fetchpriority="high"></div>
<div class="sale__body">
<div class="sale__head"><p><span class="badge" id="phase">${say('phase.scheduled')}</span></p>
<h1>${sale.title}</h1>
<p class="price"><data id="price" value="${sale.price}" data-currency="${sale.currency}">${price}</data></p></div>
<section class="clock">
<p class="clock__label" id="clock-label">${text('clock.startsIn')}</p>
<div class="clock__digits" id="countdown" role="timer" aria-labelledby="clock-label">
${digits('days', 'time.days')}${digits('hours', 'time.hours')}${digits('minutes', 'time.minutes')}${digits('seconds', 'time.seconds')}</div>
<p class="clock__at" id="clock-at">${moment(sale.startsAt)}</p>
<p class="clock__next" id="next-round" hidden></p>
</section>
<section class="buy">
<p id="status" class="status" role="status" aria-live="polite"></p>
<div class="buy__row">${stepper(sale)}
<button type="button" id="buy" class="button button--buy" aria-disabled="true" aria-describedby="status check-words"><span id="buy-label">${text('button.loading')}</span></button>
</div>
<div id="check" class="check" hidden><p id="check-words" role="status">${say('check.later')}</p></div>
<div class="left"><p id="remaining" class="left__words">${remaining(sale)}</p><span class="left__bar" id="remaining-bar" aria-hidden="true"></span></div>
</section>
${rounds(sale)}<div class="prose">${paragraphs(sale.description)}</div>
<h2>${say('facts.title')}</h2>
${facts(sale)}
</div>
</main>`
}

/**
 * Where the page finds what it needs for the check that a shopper is a person (R5). Also on the page of a sale that asks for none: a marketer may
 * switch it on while the page is open.
 */
function challenge(sale: PublicSale, assets: Assets): Html {
  const script = asset(assets, 'challenge.js')
  const worker = asset(assets, 'challenge-worker.js')
  return html`data-challenge="${sale.challenge}" data-challenge-script="${script}" data-challenge-worker="${worker}"`
}

/** All windows of a sale that has several (R7). Which one it is in is for the browser to say. */
function rounds({ slots }: PublicSale): Html {
  if (slots.length < 2) return html``
  const items = slots.map(
    ({ startsAt, endsAt, stock }) => html`
<li class="round" data-starts-at="${startsAt}"><span class="round__when">${moment(startsAt)}</span>
<span class="round__rest">${say('round.until')} ${moment(endsAt)} · ${say('round.units', { n: stock })}</span>
<span class="round__state"></span></li>`,
  )
  return html`<h2>${say('round.title')}</h2>
<ol id="rounds" class="rounds">${items}</ol>
`
}

function remaining({ stock }: PublicSale): Html {
  return stock === -1 ? say('stock.unlimited') : say('stock.ready', { remaining: stock })
}

function digits(id: string, key: keyof typeof saleMessages): Html {
  return html`<span class="digit" id="${id}"><b>00</b>${say(key)}</span>`
}

function stepper({ maxPerOrder }: PublicSale): Html {
  if (maxPerOrder === 1) return html``
  return html`
<div class="stepper" role="group" ${label('quantity.label')}>
<button type="button" id="less" ${label('quantity.less')}>−</button>
<input id="quantity" inputmode="numeric" pattern="[0-9]*" autocomplete="off" value="1" data-max="${maxPerOrder}" ${label('quantity.label')}>
<button type="button" id="more" ${label('quantity.more')}>+</button>
</div>`
}

function paragraphs(description: string): readonly Html[] {
  return description
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => html`<p>${paragraph}</p>`)
}

function facts(sale: PublicSale): Html {
  return html`<dl class="facts">
${sale.slots.length < 2 ? startAndEnd(sale) : html``}<div><dt>${say('facts.limit')}</dt><dd>${say('facts.units', { n: sale.limitPerShopper })}</dd></div>
<div><dt>${say('facts.pay')}</dt><dd>${timeToPay(sale)}</dd></div>
${sale.minLevel === 0 ? html`` : level(sale)}</dl>`
}

/** Who waits for a start should know beforehand that the sale is for others (R6). */
function level({ minLevel }: PublicSale): Html {
  return html`<div><dt>${say('facts.members')}</dt><dd>${say('facts.level', { n: minLevel })}</dd></div>
`
}

/** The rounds say both for themselves. */
function startAndEnd({ startsAt, endsAt }: PublicSale): Html {
  return html`<div><dt>${say('facts.starts')}</dt><dd>${moment(startsAt)}</dd></div>
<div><dt>${say('facts.ends')}</dt><dd>${moment(endsAt)}</dd></div>
`
}

/** Whole minutes where they say it exactly. */
function timeToPay({ paymentWindowSeconds: seconds }: PublicSale): Html {
  return seconds % 60 === 0 ? say('facts.minutes', { n: seconds / 60 }) : say('facts.seconds', { n: seconds })
}
