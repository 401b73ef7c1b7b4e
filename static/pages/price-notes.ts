/** What a price includes, what delivery adds, and the lowest price before, beside the price of a sale. */
import type { Language } from '../../core/language.ts'
import { formatMoney } from '../../core/money.ts'
import { marketRules } from '../../core/sale/market.ts'
import { priceNoteMessages } from '../messages/catalogues.ts'
import { type Arguments, words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import type { PublicSale } from './opening.ts'
import { ownLanguage, textsAttribute } from './say.ts'

type Key = keyof typeof priceNoteMessages
type Notes = Pick<PublicSale, 'market' | 'taxPercent' | 'delivery' | 'lowestPrice' | 'listPrice' | 'currency'>

/** Amounts are in each language's own form. Empty for a sale without market, tax and delivery costs. */
export function priceNotes(sale: Notes): Html {
  const { market, taxPercent, delivery, listPrice, lowestPrice } = sale
  const { taxIncluded, priceReductionDays: days } = marketRules[market]
  const notes: Html[] = []
  if (taxPercent !== undefined) notes.push(note(sale, taxIncluded ? 'note.vat' : 'note.tax', { percent: taxPercent }))
  const costs = Object.values(delivery?.costs ?? {})
  const least = Math.min(...costs)
  const isOne = costs.every((cost) => cost === least)
  if (costs.length > 0) notes.push(note(sale, isOne ? 'note.deliveryAt' : 'note.delivery', {}, least))
  if (delivery?.freeAbove !== undefined) notes.push(note(sale, 'note.freeAbove', {}, delivery.freeAbove))
  if (days !== undefined && listPrice !== undefined && lowestPrice !== undefined)
    notes.push(note(sale, 'note.lowest', { days }, lowestPrice))
  if (notes.length === 0) return html``
  return html`</p>
<p class="terms" id="price-notes">${notes.map((one, at) => (at === 0 ? one : html` · ${one}`))}`
}

function note({ currency }: Notes, key: Key, args: Arguments, amount = 0): Html {
  const textIn = (language: Language) =>
    words(priceNoteMessages[key], language, { ...args, amount: formatMoney({ amount, currency }, language) })
  return html`<span${textsAttribute(textIn)}>${textIn(ownLanguage())}</span>`
}
