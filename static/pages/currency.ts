/** The choice of a currency on the page of a sale with several prices: what each costs, printed for every reader. */
import { currencyName, formatMoney } from '../../core/money.ts'
import { allPrices } from '../../core/sale/prices.ts'
import { currencyMessages } from '../messages/catalogues.ts'
import { words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import { type Assets, asset } from './layout.ts'
import type { PublicSale } from './opening.ts'
import { ownLanguage, textsAttribute } from './say.ts'

/** Loaded beside the script of the page, which has only the field that it fills: other sales carry no byte of it. */
export const currencyScript = ({ prices }: Pick<PublicSale, 'prices'>, assets: Assets): readonly Html[] =>
  prices === undefined ? [] : [html`<script type="module" src="${asset(assets, 'currency.js')}"></script>\n`]

export const currencyStyles = ({ prices }: Pick<PublicSale, 'prices'>): string[] =>
  prices === undefined ? [] : ['currency.css']

/** Nothing for a sale with one price. Until its script runs, the price is that of the sale's own currency. */
export function currencyChoice(sale: Pick<PublicSale, 'price' | 'currency' | 'prices'>): Html {
  if (sale.prices === undefined) return html``
  const label = currencyMessages['currency.label']
  const options = allPrices(sale).map(
    ({ amount, currency }) =>
      html`<option value="${currency}" data-price="${amount}">${currencyName(currency, ownLanguage())} · ${formatMoney({ amount, currency }, ownLanguage())}</option>`,
  )
  return html`</p>
<p class="currency"><label for="currency"${textsAttribute((language) => words(label, language))}>${words(label, ownLanguage())}</label>
<select id="currency" disabled>${options}</select>`
}
