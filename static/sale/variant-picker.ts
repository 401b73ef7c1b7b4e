/**
 * Lets the shopper choose a variant and a quantity (N1). A variant that is sold out cannot be chosen. A chosen one that
 * sells out is chosen again once units are released, unless the shopper chose another.
 */
import { ownValue } from '../../core/lib/own-value.ts'
import { isSaleOver } from '../../core/sale/page-phase.ts'
import type { variantSaleMessages } from '../../templates/messages/catalogues.ts'
import { byId, setText } from '../../web/dom.ts'
import type { Voice } from '../../web/voice.ts'
import type { Store } from '../buy/click.ts'
import { type ChoiceFacts, type LeftByVariant, leftNow, type ProvedUnits, type SaleChoice } from './choice.ts'
import type { News } from './news.ts'
import { startStepper } from './quantity.ts'

type VariantKey = keyof typeof variantSaleMessages

/** Up to this number the page shows that few are left. */
const fewLeft = 5

/** `store` is the storage of the tab; `onUnits` gets each new quantity. */
export function variantPicker(
  voice: Voice<VariantKey>,
  store: Store,
  onUnits: (units: number) => void,
): SaleChoice<VariantKey> {
  const place = byId('variants')
  const name = `sluice.variant.${byId('main').dataset.saleId}`
  const rows = [...place.querySelectorAll<HTMLElement>('.variant')].map((element) => rowOf(element, choose))
  const stepper = startStepper(store, onUnits)
  const quantity = document.getElementById('quantity')?.dataset
  const maxQuantity = Number(quantity?.max)
  let facts: ChoiceFacts = { pointer: undefined, now: 0, held: false }
  let proved: ProvedUnits | undefined
  let chosen = rows.find(({ id }) => id === store.getItem(name))
  let isAvailable = chosen !== undefined
  let listener = () => {}

  function choose(id: string): void {
    chosen = rows.find((row) => row.id === id)
    store.setItem(name, id)
    updateChoice()
    draw()
    listener()
  }

  /** Limits the quantity to the remaining units. */
  function leaveRoomFor(units: number): void {
    const room = String(Math.min(maxQuantity, Math.max(1, units)))
    if (quantity === undefined || quantity.max === room) return
    quantity.max = room
    stepper.redraw()
  }

  const left = (): LeftByVariant => leftNow(facts.pointer, proved, facts.now)

  /** Updates the choice. Returns news if it changed. */
  function updateChoice(): News<VariantKey> | undefined {
    if (facts.held || chosen === undefined) return undefined
    const n = ownValue(left(), chosen.id)
    const [wasAvailable, before] = [isAvailable, stepper.value()]
    isAvailable = n !== 0
    leaveRoomFor(n ?? maxQuantity)
    const args = { name: chosen.name }
    if (wasAvailable !== isAvailable) return { key: isAvailable ? 'variants.back' : 'variants.soldOut', args }
    return isAvailable && stepper.value() < before ? { key: 'variants.fewer', args } : undefined
  }

  function draw(): void {
    const present = left()
    for (const row of rows) {
      const n = ownValue(present, row.id)
      // A refusal proves only an upper bound.
      const isExact = n === 0 || n === ownValue(facts.pointer?.variants, row.id)
      setText(row.left, leftText(isExact ? n : undefined))
      row.element.dataset.left = n === undefined ? 'unknown' : n === 0 ? 'none' : n <= fewLeft ? 'few' : 'many'
      row.input.checked = row === chosen && (isAvailable || facts.held)
      row.input.disabled = facts.held || n === 0
    }
    keepFocus()
  }

  function leftText(n: number | undefined): string {
    const { pointer, now } = facts
    if (n === undefined || (pointer !== undefined && isSaleOver(pointer, now))) return ''
    if (n === 0) return voice.t('phase.sold-out')
    return n <= fewLeft
      ? voice.t('variants.few', { n })
      : voice.t('stock.left', { remaining: n.toLocaleString(voice.locale()) })
  }

  /** Moves the focus from an input that became disabled. */
  function keepFocus(): void {
    const focused = document.activeElement
    if (focused instanceof HTMLInputElement && focused.disabled && place.contains(focused)) {
      firstInput()?.focus({ preventScroll: true })
    }
  }

  const firstInput = () =>
    place.querySelector<HTMLInputElement>('input:checked:enabled') ??
    place.querySelector<HTMLInputElement>('input:enabled')

  draw()
  return {
    chosen: () =>
      chosen !== undefined && (isAvailable || facts.held)
        ? { quantity: stepper.value(), variant: chosen.id }
        : undefined,
    ask() {
      firstInput()?.focus()
      return { key: 'variants.ask' }
    },
    update(seen) {
      // After a reload the choice of an earlier click may be unknown.
      facts = { ...seen, held: seen.held && chosen !== undefined }
      const news = updateChoice()
      draw()
      return news
    },
    refused({ code, variant }, units, now) {
      if (code !== 'sold-out' || variant === undefined || variant !== units.variant) return undefined
      proved = { variant, left: units.quantity - 1, at: now }
      facts = { ...facts, now, held: false }
      const news = updateChoice()
      draw()
      return news
    },
    redraw() {
      draw()
      stepper.redraw()
    },
    onChange(changed) {
      listener = changed
    },
  }
}

/** Wires the input of a variant. `choose` gets its id. */
function rowOf(element: HTMLElement, choose: (id: string) => void) {
  const id = element.dataset.id ?? ''
  const part = (selector: string) => {
    const found = element.querySelector(selector)
    if (found === null) throw new Error(`the variant ${id} has no ${selector}`)
    return found
  }
  const input = part('input')
  if (!(input instanceof HTMLInputElement)) throw new Error(`the variant ${id} cannot be chosen`)
  input.addEventListener('change', () => choose(id))
  return {
    ...{ id, element, input, left: part('.variant__left') },
    // A getter, because the name follows the language.
    get name() {
      return part('.variant__name').textContent ?? id
    },
  }
}
