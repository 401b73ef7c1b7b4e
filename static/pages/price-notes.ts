/** What delivery adds to the price of a sale, beside it. */
import type { Language } from '../../core/language.ts'
import { formatMoney } from '../../core/money.ts'
import { priceNoteMessages } from '../messages/catalogues.ts'
import { words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import type { PublicSale } from './opening.ts'
import { ownLanguage, textsAttribute } from './say.ts'

type Key = keyof typeof priceNoteMessages
type Notes = Pick<PublicSale, 'delivery' | 'currency'>

/** Amounts are in each language's own form. Empty for a sale without delivery costs. */
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
