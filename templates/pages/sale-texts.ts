/**
 * Renders the marketer's texts. A page shows the shop's own language and carries the other languages where they differ;
 * `web/voice.ts` chooses.
 */
import type { Brand } from '../../core/brand.ts'
import { paragraphsOf } from '../../core/lib/text.ts'
import { type SaleTexts, textIn } from '../../core/sale/sale.ts'
import { titleElement } from './brand.ts'
import { type Html, html } from './html.ts'
import { ownLanguage, textsAttribute } from './say.ts'

const texts = (sale: SaleTexts, part: 'title' | 'description'): Html =>
  textsAttribute((language) => textIn(sale, language)[part])

/** Returns the attributes of an element with the title of the sale. Its direction may differ from the page's. */
export const titleTexts = (sale: SaleTexts): Html => html` dir="auto"${texts(sale, 'title')}`

export const ownTitle = (sale: SaleTexts): string => textIn(sale, ownLanguage()).title

export const pageTitle = (sale: SaleTexts, brand: Brand): Html =>
  titleElement(brand, (language) => textIn(sale, language).title)

/** Returns the start of the description, for search engines. Cuts between characters, not code units. */
export const summaryOf = (sale: SaleTexts): string =>
  [...textIn(sale, ownLanguage()).description].slice(0, 160).join('')

/** Renders the description as paragraphs. */
export function saleProse(sale: SaleTexts): Html {
  const paragraphs = paragraphsOf(textIn(sale, ownLanguage()).description).map((text) => html`<p>${text}</p>`)
  return html`<div class="prose" dir="auto"${texts(sale, 'description')}>${paragraphs}</div>`
}
