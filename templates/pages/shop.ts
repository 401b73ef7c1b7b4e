/** Renders the shop's index with one card per sale. The script shows the phase on each card. */
import type { Brand } from '../../core/brand.ts'
import { allPackets } from '../../core/packets/packets.ts'
import { shopMessages } from '../messages/catalogues.ts'
import { titled } from './brand.ts'
import { type Html, html } from './html.ts'
import { type Assets, renderPage } from './layout.ts'
import { ofOptions } from './opening.ts'
import { thumbnail } from './pictures.ts'
import { struckThrough, sum } from './price.ts'
import { ownTitle, titleTexts } from './sale-texts.ts'
import { translator } from './say.ts'
import type { PublicSale } from './seams.ts'
import { moment } from './time.ts'

const { say, text } = translator(shopMessages)

/** Renders the page at `/` with the given sales in their order. */
export function renderIndexPage(sales: readonly PublicSale[], assets: Assets, brand: Brand): string {
  return renderPage(brand, () => ({
    name: 'shop',
    title: titled(shopMessages['shop.pageTitle'], brand),
    description: text('shop.lead'),
    assets,
    styles: ['sluice.css', 'shop.css'],
    script: 'shop',
    main: html`<main id="main" class="shop">
<header class="hero"><h1>${say('shop.title')}</h1><p class="lead">${say('shop.lead')}</p></header>
${sales.length === 0 ? html`<p class="empty">${say('shop.empty')}</p>` : html`<ul class="cards" id="cards">${sales.map(card)}</ul>`}
</main>`,
  }))
}

function card(sale: PublicSale): Html {
  const { saleId, kind, pictures, startsAt, endsAt } = sale
  return html`
<li class="card" data-sale-id="${saleId}" data-kind="${kind}" data-starts-at="${startsAt}" data-ends-at="${endsAt}">
<a href="/sales/${saleId}/"><span class="card__picture">${pictures.slice(0, 1).map(({ src }) => thumbnail(src))}</span>
<span class="card__body"><span class="badge">${say('phase.loading')}</span>
<strong class="card__title"${titleTexts(sale)}>${ownTitle(sale)}</strong>
<span class="card__price">${price(sale)}${ofOptions.map((part) => part.card?.(sale) ?? html``)}</span>
<span class="note card__when">${moment(startsAt)}</span></span></a>
</li>`
}

/** Renders the price of goods, “free” for coupons, or the total of the packets. */
function price(sale: PublicSale): Html {
  const { kind, price: amount, currency } = sale
  if (kind === 'coupon') return say('shop.freeCoupon')
  if (kind === 'goods') return html`${sum({ amount, currency })}${struckThrough(sale)}`
  return html`${sum({ amount: allPackets(sale).totalAmount, currency })} <small>${say('shop.redPackets')}</small>`
}
