/**
 * What the marketer wrote, in the languages that the sale has it in. A page is written in the shop's
 * own and carries the texts of the others where they differ; `web/voice.ts` chooses.
 */
import type { Brand } from '../../core/brand.ts'
import { paragraphsOf } from '../../core/lib/text.ts'
import { type SaleTexts, textIn } from '../../core/sale/sale.ts'
import { titleElement } from './brand.ts'
import { type Html, html } from './html.ts'
import { ownLanguage, textsAttribute } from './say.ts'

const texts = (sale: SaleTexts, part: 'title' | 'description'): Html =>
  textsAttribute((language) => textIn(sale, language)[part])

/** Attributes for the element that has the title of the sale and nothing else; its script may run in the other direction than the page. */
export const titleTexts = (sale: SaleTexts): Html => html` dir="auto"${texts(sale, 'title')}`

export const ownTitle = (sale: SaleTexts): string => textIn(sale, ownLanguage()).title

export const pageTitle = (sale: SaleTexts, brand: Brand): Html =>
  titleElement(brand, (language) => textIn(sale, language).title)

/** For search engines and previews. Cuts between characters, of which an emoji has two code units. */
export const summaryOf = (sale: SaleTexts): string =>
  [...textIn(sale, ownLanguage()).description].slice(0, 160).join('')

/** What the marketer wrote, as paragraphs. */
export function saleProse(sale: SaleTexts): Html {
  const paragraphs = paragraphsOf(textIn(sale, ownLanguage()).description).map((text) => html`<p>${text}</p>`)
  return html`<div class="prose" dir="auto"${texts(sale, 'description')}>${paragraphs}</div>`
}
