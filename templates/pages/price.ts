/** Renders prices: an amount, the regular price, and notes about delivery. */

import type { Language } from '../../core/language.ts'
import { formatMoney, type Money } from '../../core/money.ts'
import { listPriceMessages, priceNoteMessages } from '../messages/catalogues.ts'
import { deliveryCostsText } from '../messages/delivery-costs.ts'
import { words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import { ownLanguage, textsAttribute, translator } from './say.ts'
import type { PublicSale } from './seams.ts'

const { say } = translator(listPriceMessages)

/** Renders the regular price, struck through. Screen readers do not announce that, so a label precedes it. */
export function struckThrough({ listPrice, currency }: { listPrice?: number | undefined; currency: string }): Html {
  if (listPrice === undefined) return html``
  return html` <s class="price__list"><span>${say('price.list')} </span>${sum({ amount: listPrice, currency })}</s>`
}

/** Renders an amount in the language of the page. The script formats it for the reader. */
export function sum({ amount, currency }: Money): Html {
  return html`<data value="${amount}" data-currency="${currency}">${formatMoney({ amount, currency }, ownLanguage())}</data>`
}

type Key = keyof typeof priceNoteMessages
type Notes = Pick<PublicSale, 'delivery' | 'currency'>

/** Renders the delivery costs of a sale, beside its price; empty if it has none. */
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
