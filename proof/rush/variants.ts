/** The variants of a rushed sale, and shoppers who choose among them. */

import type { Problem } from '../../client/types.ts'
import { type Basket, maxBasketLines, type Variant } from '../../core/sale/variants.ts'
import type { VirtualShopper } from './shopper.ts'

/** `stock` units in equal parts; the first variants have one more where they cannot be equal. */
export function variantsOf(count: number, stock: number): readonly Variant[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `v${at + 1}`,
    name: `V${at + 1}`,
    stock: Math.floor(stock / count) + (at < stock % count ? 1 : 0),
  }))
}

/** What a shopper asks for now, with the key of that request. */
type Choice = { basket: Basket; key: string }

export type Choices = {
  /** The same for every retry of a request. */
  of: (shopper: VirtualShopper) => Choice
  /** False when no variant is left to choose. */
  chooseAgain: (shopper: VirtualShopper, refusal: Problem) => boolean
  /** Units of each variant that were wanted at first. */
  wanted: ReadonlyMap<string, number>
}

/**
 * Baskets of `quantity` units. Every second unit is of the first variant that a shopper does not know
 * as sold out, so most shoppers want the same; one who is refused chooses among the others.
 */
export function openChoices(ids: readonly string[], quantity: number, random: () => number): Choices {
  const known = new Map<string, { choice: Choice; soldOut: Set<string>; turn: number }>()
  const wanted = new Map<string, number>()

  const draw = (soldOut: ReadonlySet<string>): Basket => {
    const open = ids.filter((id) => !soldOut.has(id))
    const basket: Record<string, number> = {}
    for (let left = quantity; left > 0; left -= 1) {
      const chosen = Object.keys(basket)
      const among = chosen.length < maxBasketLines ? open : chosen
      const id = among[random() < 0.5 ? 0 : Math.floor(random() * among.length)]
      if (id !== undefined) basket[id] = (basket[id] ?? 0) + 1
    }
    return basket
  }

  const stateOf = ({ shopperId, key }: VirtualShopper) => {
    const before = known.get(shopperId)
    if (before !== undefined) return before
    const state = { choice: { basket: draw(new Set()), key }, soldOut: new Set<string>(), turn: 1 }
    known.set(shopperId, state)
    for (const [id, units] of Object.entries(state.choice.basket)) wanted.set(id, (wanted.get(id) ?? 0) + units)
    return state
  }

  return {
    wanted,
    of: (shopper) => stateOf(shopper).choice,
    chooseAgain(shopper, { code, variants = [] }) {
      const state = stateOf(shopper)
      const named = code === 'sold-out' ? variants : []
      for (const id of named) state.soldOut.add(id)
      if (named.length === 0 || state.soldOut.size === ids.length) return false
      state.turn += 1
      state.choice = { basket: draw(state.soldOut), key: `${shopper.key}-${state.turn}` }
      return true
    },
  }
}
