/** The regular price beside the price of a sale. */
import { listPriceMessages } from '../messages/catalogues.ts'
import { type Html, html } from './html.ts'
import { speaker } from './say.ts'
import { sum } from './sum.ts'

const { say } = speaker(listPriceMessages)

/** Screen readers do not say that a text is struck through, so words for them come first. */
export function struckThrough({
  listPrice,
  currency,
}: {
  listPrice?: number | undefined
  currency: string
}): Html {
  if (listPrice === undefined) return html``
  return html` <s class="price__list"><span class="unseen">${say('price.list')} </span>${sum({ amount: listPrice, currency })}</s>`
}
