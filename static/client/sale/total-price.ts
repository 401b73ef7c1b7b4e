/** The price on the page of goods goes with the quantity, and so does the regular price beside it. */
import { priceOf } from '../../../core/money.ts'
import type { Arguments } from '../../messages/text.ts'

/** A `data` element: the price of one unit is its `value`. */
type Price = {
  readonly id: string
  readonly value: string
  readonly dataset: { readonly [name: string]: string | undefined }
  textContent: string | null
}

type Words = { t(key: 'quantity.total', args: Arguments): string; money(amount: number, currency: string): string }

/**
 * Returns a function that writes the `prices` of a quantity; those of one unit while the quantity is 0.
 * Only the price to pay, which has an id, is called the total.
 */
export function totalPrice(voice: Words, prices: Iterable<Price>): (quantity: number) => void {
  return (quantity) => {
    const units = Math.max(1, quantity)
    for (const price of prices) {
      const amount = voice.money(priceOf(units, Number(price.value)), price.dataset.currency ?? '')
      const text = units > 1 && price.id ? voice.t('quantity.total', { amount }) : amount
      if (price.textContent !== text) price.textContent = text
    }
  }
}
