/**
 * The stepper: how many units the next click asks for. Absent where a sale allows one per order.
 */
import { byId } from '../dom.ts'
import { boundedQuantity } from './bounded-quantity.ts'
import type { SaleChoice } from './choice.ts'

/** Wires the stepper; `onQuantity` gets every new quantity. */
export function quantityChoice(onQuantity: (quantity: number) => void): SaleChoice<never> {
  const { value, atMost, redraw } = startStepper(onQuantity)
  return {
    wanted: () => ({ quantity: value() }),
    ask: () => undefined,
    look: () => undefined,
    refused({ code, remaining }) {
      if (code === 'sold-out' && remaining > 0) atMost(remaining)
      return undefined
    },
    redraw,
    onChange: () => undefined,
  }
}

function startStepper(onQuantity: (quantity: number) => void) {
  const found = document.getElementById('quantity')
  if (!(found instanceof HTMLInputElement))
    return { value: () => 1, atMost: () => undefined, redraw: () => undefined }
  const input = found
  const max = Number(input.dataset.max)
  const less = byId('less', HTMLButtonElement)
  const more = byId('more', HTMLButtonElement)
  const value = () => boundedQuantity(input.value, 1, max)
  const set = (quantity: number) => {
    input.value = String(boundedQuantity(String(quantity), 1, max))
    less.setAttribute('aria-disabled', String(value() <= 1))
    more.setAttribute('aria-disabled', String(value() >= max))
    onQuantity(value())
  }
  less.addEventListener('click', () => set(value() - 1))
  more.addEventListener('click', () => set(value() + 1))
  input.addEventListener('change', () => set(value()))
  set(1)
  return {
    value,
    /** Lowers the quantity to what is left. */
    atMost: (left: number) => set(Math.min(value(), Math.max(1, left))),
    redraw: () => set(value()),
  }
}
