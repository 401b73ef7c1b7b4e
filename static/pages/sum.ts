/**
 * An amount of money in a page: in English as written, in the reader's own form once the script
 * runs.
 */
import { formatMoney, type Money } from '../../core/money.ts'
import { type Html, html } from './html.ts'

export function sum({ amount, currency }: Money): Html {
  return html`<data value="${amount}" data-currency="${currency}">${formatMoney({ amount, currency }, 'en')}</data>`
}
