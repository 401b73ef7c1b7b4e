/**
 * Renders the sale page: complete HTML, the same for every shopper, with a long cache time (C1, C2). The script updates the
 * button, the clock and the remaining count.
 */
import type { Brand } from '../../core/brand.ts'
import type { Language } from '../../core/language.ts'
import { formatMoney } from '../../core/money.ts'
import { type Variant, variantNameIn } from '../../core/sale/variants.ts'
import { couponSaleMessages, saleMessages, variantNoteMessages, variantSaleMessages } from '../messages/catalogues.ts'
import { shopName } from '../messages/shop-name.ts'
import { type Html, html } from './html.ts'
import { type Assets, renderPage } from './layout.ts'
import {
  checkStyles,
  earlyAccessFact,
  membersLevel,
  ofOptions,
  saleButton,
  saleClock,
  saleData,
  saleHead,
  salePreloads,
  saleRounds,
  startAndEnd,
  zoneScript,
} from './opening.ts'
import { gallery, galleryStyles } from './pictures.ts'
import { type Publication, previewOf } from './preview.ts'
import { priceNotes, struckThrough } from './price.ts'
import { pageTitle, saleProse, summaryOf } from './sale-texts.ts'
import { ownLanguage, spanTranslator, textsAttribute, translator } from './say.ts'
import type { PublicSale } from './seams.ts'
import { moment } from './time.ts'

const goods = translator(saleMessages)
const coupons = translator(couponSaleMessages)

const wordsOf = ({ kind }: PublicSale) => (kind === 'coupon' ? coupons : goods)

/** Renders the page at `/sales/{saleId}/`. */
export function renderSalePage(sale: PublicSale, assets: Assets, publication: Publication): string {
  return renderPage(publication.brand, () => ({
    name: 'sale',
    title: pageTitle(sale, publication.brand),
    description: summaryOf(sale),
    preview: previewOf(sale, publication),
    assets,
    styles: [
      'sluice.css',
      ...(sale.variants === undefined ? [] : ['variants.css' as const]),
      ...galleryStyles(sale),
      ...checkStyles(sale),
      ...ofOptions.flatMap((part) => part.styles?.(sale) ?? []),
    ],
    script: pageScript(sale),
    preloads: [
      ...salePreloads(sale),
      ...ofOptions.flatMap((part) => part.scripts?.(sale, assets) ?? []),
      ...zoneScript(sale, assets),
    ],
    main: main(sale, assets, publication.brand),
  }))
}

/** Returns the script for the kind of sale. */
function pageScript({ kind, variants }: PublicSale): string {
  if (kind === 'coupon') return 'coupon'
  return variants === undefined ? 'sale' : 'variants'
}

function main(sale: PublicSale, assets: Assets, brand: Brand): Html {
  const { say } = wordsOf(sale)
  return html`<main id="main" class="sale" ${saleData(sale, assets)}>
${gallery(sale.pictures)}
<div class="sale__body">
${saleHead(sale, price(sale))}
${ofOptions.map((part) => part.section?.(sale) ?? html``)}${saleClock(sale)}
${saleVariants(sale)}${saleButton(sale, { beside: stepper(sale), left: remaining(sale), assets })}
${saleRounds(sale, say('round.title'), ({ stock }) => say('round.units', { n: stock }))}${saleProse(sale)}
<h2>${say('facts.title')}</h2>
${facts(sale, brand)}
</div>
</main>`
}

function price(sale: PublicSale): Html {
  const { kind, price, listPrice, currency } = sale
  if (kind === 'coupon') return coupons.say('price.free')
  const text = formatMoney({ amount: price, currency }, ownLanguage())
  return html`<data id="price" value="${price}" data-currency="${currency}">${text}</data>${struckThrough({ listPrice, currency })}${priceNotes(sale)}`
}

function remaining(sale: PublicSale): Html {
  const { say } = wordsOf(sale)
  const { stock } = sale
  return stock === -1 ? say('stock.unlimited') : say('stock.ready', { remaining: stock })
}

function stepper(sale: PublicSale): Html {
  const { label } = wordsOf(sale)
  const { maxPerOrder } = sale
  if (maxPerOrder === 1) return html``
  return html`
<div class="stepper" role="group" ${label('quantity.label')}>
<button type="button" id="less" ${label('quantity.less')}>−</button>
<input id="quantity" inputmode="numeric" pattern="[0-9]*" autocomplete="off" value="1" data-max="${maxPerOrder}" ${label('quantity.label')}>
<button type="button" id="more" ${label('quantity.more')}>+</button>
</div>`
}

function facts(sale: PublicSale, brand: Brand): Html {
  return html`<dl class="facts">
${startAndEnd(sale)}${sale.kind === 'coupon' ? factsOfCoupons(sale, brand) : factsOfGoods(sale)}
${membersLevel(sale)}${earlyAccessFact(sale)}</dl>`
}

function factsOfGoods(sale: PublicSale): Html {
  const { say } = goods
  return html`<div><dt>${say('facts.limit')}</dt><dd>${say('facts.units', { n: sale.limitPerShopper })}</dd></div>
<div><dt>${say('facts.pay')}</dt><dd>${timeToPay(sale)}</dd></div>`
}

/** Renders the facts of coupons: where and until when they can be redeemed. */
function factsOfCoupons({ maxPerOrder, limitPerShopper, coupons: validity = {} }: PublicSale, brand: Brand): Html {
  const { say } = coupons
  const { validFrom, validUntil } = validity
  const shop = html`<span dir="auto"${textsAttribute((language) => shopName(brand, language))}>${shopName(brand, ownLanguage())}</span>`
  const bounds = [
    html`\n<div><dt>${say('facts.where')}</dt><dd>${shop}</dd></div>`,
    validFrom === undefined
      ? html``
      : html`\n<div><dt>${say('facts.validFrom')}</dt><dd>${moment(validFrom)}</dd></div>`,
    html`\n<div><dt>${say('facts.validUntil')}</dt><dd>${validUntil === undefined ? say('facts.noExpiry') : moment(validUntil)}</dd></div>`,
  ]
  return html`<div><dt>${say('facts.perOrder')}</dt><dd>${say('facts.units', { n: maxPerOrder })}</dd></div>
<div><dt>${say('facts.limit')}</dt><dd>${say('facts.units', { n: limitPerShopper })}</dd></div>${bounds}`
}

/** Renders the time to pay, in minutes if that is exact. */
function timeToPay({ paymentWindowSeconds: seconds }: PublicSale): Html {
  const { say } = goods
  return seconds % 60 === 0 ? say('facts.minutes', { n: seconds / 60 }) : say('facts.seconds', { n: seconds })
}

const { say } = translator(variantSaleMessages)
const note = spanTranslator(variantNoteMessages)

/** Renders the variants of a sale (N1), of which an order has one. The script shows how many of each are left. */
function saleVariants({ variants, limitPerShopper: limit }: PublicSale): Html {
  if (variants === undefined) return html``
  const again = html`<p class="variants__again" id="variants-again">${note('variants.again', { n: limit })}</p>\n`
  return html`<fieldset class="variants" id="variants"${limit === 1 ? html`` : html` aria-describedby="variants-again"`}>
<legend>${say('variants.one')}</legend>
${limit === 1 ? html`` : again}<div class="variants__list">
${variants.map(choice)}</div>
</fieldset>
`
}

function choice(variant: Variant): Html {
  return html`<label class="variant" data-id="${variant.id}"><input type="radio" name="variant" value="${variant.id}" autocomplete="off">${words(variant)}</label>
`
}

function words(variant: Variant): Html {
  const nameIn = (language: Language) => variantNameIn(variant, language)
  return html`<span class="variant__words"><span class="variant__name" id="variant-${variant.id}" dir="auto"${textsAttribute(nameIn)}>${nameIn(ownLanguage())}</span><span class="variant__left"></span></span>`
}
