/** Prices on pages: an amount, and the regular price beside the price of a sale. */

import { formatMoney, type Money } from '../../core/money.ts'
import { listPriceMessages } from '../messages/catalogues.ts'
import { type Html, html } from './html.ts'
import { ownLanguage, speaker } from './say.ts'

const { say } = speaker(listPriceMessages)

/** Screen readers do not say that a text is struck through, so words for them come first. */
export function struckThrough({ listPrice, currency }: { listPrice?: number | undefined; currency: string }): Html {
  if (listPrice === undefined) return html``
  return html` <s class="price__list"><span class="unseen">${say('price.list')} </span>${sum({ amount: listPrice, currency })}</s>`
}

/**
 * An amount of money in a page: in the language of the page as written, in the reader's own form once the script
 * runs.
 */
export function sum({ amount, currency }: Money): Html {
  return html`<data value="${amount}" data-currency="${currency}">${formatMoney({ amount, currency }, ownLanguage())}</data>`
}
