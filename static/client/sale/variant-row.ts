/** One variant on the page of a sale: a radio button, or a stepper with a number of units (N1). */
import { boundedQuantity } from './basket-choice.ts'

/** How a row shows its units, of which there may be up to `room`; `fixed`: nothing can change now. */
type Shown = { units: number; room: number; fixed: boolean }

type VariantRow = {
  id: string
  name: string
  element: HTMLElement
  left: Element
  show(shown: Shown): void
}

/** `choose` gets what a shopper does; it shows the new choice, unless that is the old one. */
export function variantRow(element: HTMLElement, choose: (id: string, units: number) => void): VariantRow {
  const id = element.dataset.id ?? ''
  const part = (selector: string) => {
    const found = element.querySelector(selector)
    if (found === null) throw new Error(`the variant ${id} has no ${selector}`)
    return found
  }
  const input = part('input')
  if (!(input instanceof HTMLInputElement)) throw new Error(`the variant ${id} cannot be chosen`)
  const control = input.type === 'radio' ? radio : stepper
  return {
    id,
    // It changes with the language of the page.
    get name() {
      return part('.variant__name').textContent ?? id
    },
    element,
    left: part('.variant__left'),
    show: control(input, (units) => choose(id, units), [...element.querySelectorAll<HTMLElement>('[data-step]')]),
  }
}

function radio(input: HTMLInputElement, choose: (units: number) => void): VariantRow['show'] {
  input.addEventListener('change', () => choose(1))
  return ({ units, room, fixed }) => {
    input.checked = units > 0
    input.disabled = fixed || room === 0
  }
}

function stepper(
  input: HTMLInputElement,
  choose: (units: number) => void,
  buttons: readonly HTMLElement[],
): VariantRow['show'] {
  let most = 0
  let shown: number | undefined
  const set = (text: string) => {
    choose(boundedQuantity(text, 0, most))
    // The same choice again draws nothing, also after other typing.
    input.value = String(shown ?? 0)
  }
  for (const button of buttons) {
    const step = Number(button.dataset.step)
    button.addEventListener('click', () => {
      if (button.getAttribute('aria-disabled') !== 'true') set(String((shown ?? 0) + step))
    })
  }
  input.addEventListener('change', () => set(input.value))
  return ({ units, room, fixed }) => {
    most = room
    // What is being typed stays until it counts.
    if (units !== shown) input.value = String(units)
    shown = units
    input.disabled = fixed || room === 0
    for (const button of buttons) {
      const isOver = Number(button.dataset.step) < 0 ? units === 0 : units >= room
      button.setAttribute('aria-disabled', String(fixed || isOver))
    }
  }
}
