/**
 * The variants of a sale on its page: a choice of one, or a stepper for each (N1). What is sold out
 * cannot be chosen, and a choice that sells out counts again once it is back, until the shopper
 * makes another one.
 */
import { type Basket, basketIn, basketText, basketUnits } from '../../../core/sale/variants.ts'
import type { variantSaleMessages } from '../../messages/catalogues.ts'
import type { Store } from '../buy/pending-click.ts'
import { namesText } from '../lib/basket-words.ts'
import { byId, setText } from '../lib/dom.ts'
import type { Voice } from '../lib/voice.ts'
import { buyable, type LeftByVariant, leftNow, type Proved, provedBy, roomFor, withUnits } from './basket-choice.ts'
import type { ChoiceFacts, SaleChoice } from './choice.ts'
import type { News } from './news.ts'
import { variantRow } from './variant-row.ts'

type VariantKey = keyof typeof variantSaleMessages

/** Below this the page says that few are left. */
const fewLeft = 5

/** `store` is what the tab remembers; `onUnits` gets the number of units in every choice. */
export function variantPicker(
  voice: Voice<VariantKey>,
  store: Store,
  onUnits: (units: number) => void,
): SaleChoice<VariantKey> {
  const place = byId('variants')
  const sum = document.getElementById('variants-sum')
  const most = Number(place.dataset.most)
  const name = `sluice.choice.${byId('main').dataset.saleId}`
  const rows = [...place.querySelectorAll<HTMLElement>('.variant')].map((element) => variantRow(element, choose))
  const namesOf = (ids: readonly string[]) =>
    namesText(
      rows.flatMap((row) => (ids.includes(row.id) ? [row.name] : [])),
      voice.locale(),
    )
  let facts: ChoiceFacts = { pointer: undefined, now: 0, held: false }
  let proved: Proved | undefined
  let chosen = remembered()
  let basket = chosen
  let listener = () => {}

  function remembered(): Basket {
    const stored = basketIn(store.getItem(name) ?? '') ?? {}
    const known = Object.keys(stored).every((id) => rows.some((row) => row.id === id))
    return known && basketUnits(stored) <= most ? stored : {}
  }

  function choose(id: string, units: number): void {
    // The one choice replaces the other; of several, what was sold out is not remembered any more.
    chosen = withUnits(most === 1 ? {} : basket, id, units)
    store.setItem(name, basketText(chosen))
    count()
    draw()
    listener()
  }

  const left = (): LeftByVariant => leftNow(facts.pointer, proved, facts.now)

  function count(): void {
    basket = facts.held ? chosen : buyable(chosen, left())
  }

  function draw(): void {
    const present = left()
    for (const row of rows) {
      const n = present[row.id]
      // A refusal may have proved that fewer are left, and not how many.
      const isExact = n === 0 || n === facts.pointer?.variants?.[row.id]
      setText(row.left, leftText(isExact ? n : undefined))
      row.element.dataset.left = n === undefined ? 'unknown' : n === 0 ? 'none' : n <= fewLeft ? 'few' : 'many'
      const others = most === 1 ? {} : basket
      const room = Math.max(0, roomFor(row.id, others, present, most))
      row.show({ units: basket[row.id] ?? 0, room, fixed: facts.held })
    }
    keepFocus()
    if (sum !== null) setText(sum, voice.t('variants.sum', { n: basketUnits(basket), most }))
    onUnits(basketUnits(basket))
  }

  function leftText(n: number | undefined): string {
    if (n === undefined) return ''
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

  /** What became of the choice since it was last counted. */
  function newsSince(before: Basket): News<VariantKey> | undefined {
    const units = (of: Basket, id: string) => of[id] ?? 0
    const ids = Object.keys(chosen)
    const back = ids.filter((id) => units(basket, id) > units(before, id))
    const gone = ids.filter((id) => units(basket, id) === 0 && units(before, id) > 0)
    const fewer = ids.filter((id) => units(basket, id) < units(before, id))
    if (gone.length > 0) return { key: 'variants.soldOut', args: { names: namesOf(gone) } }
    if (fewer.length > 0) return { key: 'variants.fewer', args: { names: namesOf(fewer) } }
    return back.length === 0 ? undefined : { key: 'variants.back', args: { names: namesOf(back) } }
  }

  draw()
  return {
    wanted: () => (basketUnits(basket) === 0 ? undefined : { quantity: basketUnits(basket), basket }),
    ask() {
      firstInput()?.focus()
      return { key: 'variants.ask' }
    },
    look(seen) {
      // An earlier click whose choice was not kept holds nothing fast.
      facts = { ...seen, held: seen.held && basketUnits(chosen) > 0 }
      const before = basket
      count()
      draw()
      return facts.held ? undefined : newsSince(before)
    },
    refused({ code, variants = [] }, wanted, now) {
      const less = provedBy(wanted.basket ?? {}, variants)
      const names = namesOf(Object.keys(less))
      if (code !== 'sold-out' || names === '') return undefined
      proved = { left: less, at: now }
      facts = { ...facts, now, held: false }
      count()
      draw()
      const isGone = Object.values(less).every((n) => n === 0)
      return { key: isGone ? 'variants.soldOut' : 'variants.fewer', args: { names } }
    },
    redraw: draw,
    onChange(changed) {
      listener = changed
    },
  }
}
