/** Runs the stepper for the quantity, and writes the total price. */
import { priceOf } from '../../core/money.ts'
import type { Arguments } from '../../templates/messages/text.ts'
import { byId } from '../../web/dom.ts'
import type { Store } from '../buy/click.ts'
import { boundedQuantity, type SaleChoice } from './choice.ts'

/** Returns the choice of a sale without variants. `store` is the storage of the tab; `onQuantity` gets each new quantity. */
export function quantityChoice(store: Store, onQuantity: (quantity: number) => void): SaleChoice<never> {
  const { value, atMost, redraw } = startStepper(store, onQuantity)
  return {
    chosen: () => ({ quantity: value() }),
    ask: () => undefined,
    update: () => undefined,
    refused({ code, remaining }) {
      if (code === 'sold-out' && remaining > 0) atMost(remaining)
      return undefined
    },
    redraw,
    onChange: () => undefined,
  }
}

/** Starts the stepper. A sale that allows one unit per order has none. */
export function startStepper(store: Store, onQuantity: (quantity: number) => void) {
  const found = document.getElementById('quantity')
  if (!(found instanceof HTMLInputElement)) {
    const nothing = () => undefined
    return { value: () => 1, atMost: nothing, redraw: nothing }
  }
  const input = found
  // The variant picker changes it to the remaining units.
  const max = () => Number(input.dataset.max)
  const name = `sluice.choice.${byId('main').dataset.saleId}`
  const less = byId('less', HTMLButtonElement)
  const more = byId('more', HTMLButtonElement)
  const value = () => boundedQuantity(input.value, max())
  const set = (quantity: number) => {
    input.value = String(boundedQuantity(String(quantity), max()))
    less.setAttribute('aria-disabled', String(value() <= 1))
    more.setAttribute('aria-disabled', String(value() >= max()))
    store.setItem(name, input.value)
    onQuantity(value())
  }
  less.addEventListener('click', () => set(value() - 1))
  more.addEventListener('click', () => set(value() + 1))
  input.addEventListener('change', () => set(value()))
  set(Number(store.getItem(name)))
  return {
    value,
    /** Lowers the quantity to what is left. */
    atMost: (left: number) => set(Math.min(value(), left)),
    redraw: () => set(value()),
  }
}

/** A `data` element: the price of one unit is its `value`. */
type Price = {
  readonly id: string
  readonly value: string
  readonly dataset: { readonly [name: string]: string | undefined }
  textContent: string | null
}

type Words = { t(key: 'quantity.total', args: Arguments): string; money(amount: number, currency: string): string }

/** Returns a function that writes the `prices` of a quantity. Only the price to pay, which has an id, becomes a total. */
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
