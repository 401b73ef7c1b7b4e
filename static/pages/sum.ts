/**
 * An amount of money in a page: in the language of the page as written, in the reader's own form once the script
 * runs.
 */
import { formatMoney, type Money } from '../../core/money.ts'
import { type Html, html } from './html.ts'
import { ownLanguage } from './say.ts'

export function sum({ amount, currency }: Money): Html {
  return html`<data value="${amount}" data-currency="${currency}">${formatMoney({ amount, currency }, ownLanguage())}</data>`
}
