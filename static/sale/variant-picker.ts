/**
 * The variants of a sale on its page: a choice of one, beside the quantity (N1). What is sold out cannot be
 * chosen, and a choice that sells out counts again once it is back, until the shopper makes another one.
 */
import { ownValue } from '../../core/lib/own-value.ts'
import { isSaleOver } from '../../core/sale/page-phase.ts'
import type { variantSaleMessages } from '../../templates/messages/catalogues.ts'
import { byId, setText } from '../../web/dom.ts'
import type { Voice } from '../../web/voice.ts'
import type { Store } from '../buy/click.ts'
import { type ChoiceFacts, type LeftByVariant, leftNow, type Proved, type SaleChoice } from './choice.ts'
import type { News } from './news.ts'
import { startStepper } from './quantity.ts'

type VariantKey = keyof typeof variantSaleMessages

/** Below this the page says that few are left. */
const fewLeft = 5

/** `store` is what the tab remembers; `onUnits` gets every new quantity. */
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
  const most = Number(quantity?.max)
  let facts: ChoiceFacts = { pointer: undefined, now: 0, held: false }
  let proved: Proved | undefined
  let chosen = rows.find(({ id }) => id === store.getItem(name))
  let isThere = chosen !== undefined
  let listener = () => {}

  function choose(id: string): void {
    chosen = rows.find((row) => row.id === id)
    store.setItem(name, id)
    count()
    draw()
    listener()
  }

  /** Lowers what can be chosen to what is left, until there is more. */
  function leaveRoomFor(units: number): void {
    const room = String(Math.min(most, Math.max(1, units)))
    if (quantity === undefined || quantity.max === room) return
    quantity.max = room
    stepper.redraw()
  }

  const left = (): LeftByVariant => leftNow(facts.pointer, proved, facts.now)

  /** Counts the choice anew; the news is what became of it. */
  function count(): News<VariantKey> | undefined {
    if (facts.held || chosen === undefined) return undefined
    const n = ownValue(left(), chosen.id)
    const [wasThere, before] = [isThere, stepper.value()]
    isThere = n !== 0
    leaveRoomFor(n ?? most)
    const args = { name: chosen.name }
    if (wasThere !== isThere) return { key: isThere ? 'variants.back' : 'variants.soldOut', args }
    return isThere && stepper.value() < before ? { key: 'variants.fewer', args } : undefined
  }

  function draw(): void {
    const present = left()
    for (const row of rows) {
      const n = ownValue(present, row.id)
      // A refusal may have proved that fewer are left, and not how many.
      const isExact = n === 0 || n === ownValue(facts.pointer?.variants, row.id)
      setText(row.left, leftText(isExact ? n : undefined))
      row.element.dataset.left = n === undefined ? 'unknown' : n === 0 ? 'none' : n <= fewLeft ? 'few' : 'many'
      row.input.checked = row === chosen && (isThere || facts.held)
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

  /** A control that was switched off under the keyboard leaves the focus to its neighbour. */
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
    wanted: () =>
      chosen !== undefined && (isThere || facts.held) ? { quantity: stepper.value(), variant: chosen.id } : undefined,
    ask() {
      firstInput()?.focus()
      return { key: 'variants.ask' }
    },
    look(seen) {
      // An earlier click whose choice was not kept holds nothing fast.
      facts = { ...seen, held: seen.held && chosen !== undefined }
      const news = count()
      draw()
      return news
    },
    refused({ code, variant }, wanted, now) {
      if (code !== 'sold-out' || variant === undefined || variant !== wanted.variant) return undefined
      proved = { variant, left: wanted.quantity - 1, at: now }
      facts = { ...facts, now, held: false }
      const news = count()
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

/** One variant: `choose` gets its id. */
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
    // It changes with the language of the page.
    get name() {
      return part('.variant__name').textContent ?? id
    },
  }
}
