/** Prices on pages: an amount, and the regular price beside the price of a sale. */

import type { Language } from '../../core/language.ts'
import { formatMoney, type Money } from '../../core/money.ts'
import { listPriceMessages, priceNoteMessages } from '../messages/catalogues.ts'
import { words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import type { PublicSale } from './page-part.ts'
import { ownLanguage, speaker, textsAttribute } from './say.ts'

const { say } = speaker(listPriceMessages)

/** Screen readers do not say that a text is struck through, so words for them come first. */
export function struckThrough({ listPrice, currency }: { listPrice?: number | undefined; currency: string }): Html {
  if (listPrice === undefined) return html``
  return html` <s class="price__list"><span>${say('price.list')} </span>${sum({ amount: listPrice, currency })}</s>`
}

/** An amount of money in a page: in the language of the page as written, in the reader's own form once the script runs. */
export function sum({ amount, currency }: Money): Html {
  return html`<data value="${amount}" data-currency="${currency}">${formatMoney({ amount, currency }, ownLanguage())}</data>`
}

type Key = keyof typeof priceNoteMessages
type Notes = Pick<PublicSale, 'delivery' | 'currency'>

/**
 * What delivery adds to the price of a sale, beside it. Amounts are in each language's own form. Empty for a sale
 * without delivery costs.
 */
export function priceNotes(sale: Notes): Html {
  const { delivery } = sale
  const notes: Html[] = []
  const costs = Object.values(delivery?.costs ?? {})
  const least = Math.min(...costs)
  const isOne = costs.every((cost) => cost === least)
  if (costs.length > 0) notes.push(note(sale, isOne ? 'note.deliveryAt' : 'note.delivery', least))
  if (delivery?.freeAbove !== undefined) notes.push(note(sale, 'note.freeAbove', delivery.freeAbove))
  if (notes.length === 0) return html``
  return html`</p>
<p class="terms" id="price-notes">${notes.map((one, at) => (at === 0 ? one : html` · ${one}`))}`
}

function note({ currency }: Notes, key: Key, amount: number): Html {
  const textIn = (language: Language) =>
    words(priceNoteMessages[key], language, { amount: formatMoney({ amount, currency }, language) })
  return html`<span${textsAttribute(textIn)}>${textIn(ownLanguage())}</span>`
}
