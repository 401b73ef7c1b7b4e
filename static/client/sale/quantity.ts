/**
 * The stepper: how many units the next click asks for. Absent where a sale allows one per order.
 */
import { byId } from '../dom.ts'
import { boundedQuantity } from './bounded-quantity.ts'

/** Wires the stepper; `onChange` gets every new quantity. Returns how to read and set it. */
export function startStepper(onChange: (quantity: number) => void) {
  const found = document.getElementById('quantity')
  if (!(found instanceof HTMLInputElement))
    return { value: () => 1, atMost: () => undefined, redraw: () => undefined }
  const input = found
  const max = Number(input.dataset.max)
  const less = byId('less', HTMLButtonElement)
  const more = byId('more', HTMLButtonElement)
  const value = () => boundedQuantity(input.value, max)
  const set = (quantity: number) => {
    input.value = String(boundedQuantity(String(quantity), max))
    less.setAttribute('aria-disabled', String(value() <= 1))
    more.setAttribute('aria-disabled', String(value() >= max))
    onChange(value())
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
