/** Prices on pages: an amount, and the regular price beside the price of a sale. */

import type { Language } from '../../core/language.ts'
import { formatMoney, type Money } from '../../core/money.ts'
import { listPriceMessages, priceNoteMessages } from '../messages/catalogues.ts'
import { deliveryCostsText } from '../messages/delivery-costs.ts'
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
  const { costs = {}, freeAbove } = delivery ?? {}
  const [cost, ...others] = new Set(Object.values(costs))
  if (others.length > 0) notes.push(costsNote(sale, costs))
  else if (cost !== undefined) notes.push(note(sale, cost === 0 ? 'note.deliveryFree' : 'note.deliveryAt', cost))
  if (freeAbove !== undefined) notes.push(note(sale, 'note.freeAbove', freeAbove))
  if (notes.length === 0) return html``
  return html`</p>
<p class="terms" id="price-notes">${notes.map((one, at) => (at === 0 ? one : html` · ${one}`))}`
}

function note({ currency }: Notes, key: Key, amount: number): Html {
  return noteOf((language) =>
    words(priceNoteMessages[key], language, { amount: formatMoney({ amount, currency }, language) }),
  )
}

function costsNote({ currency }: Notes, costs: Readonly<Record<string, number>>): Html {
  return noteOf((language) => {
    const money = (amount: number) => formatMoney({ amount, currency }, language)
    const free = words(priceNoteMessages['note.free'], language)
    return words(priceNoteMessages['note.delivery'], language, {
      costs: deliveryCostsText(costs, language, { money, free }),
    })
  })
}

const noteOf = (textIn: (language: Language) => string): Html =>
  html`<span${textsAttribute(textIn)}>${textIn(ownLanguage())}</span>`
