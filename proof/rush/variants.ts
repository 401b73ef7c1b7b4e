/** The variants of a rushed sale, and shoppers who choose among them. */
import type { Problem } from '../../client/types.ts'
import type { Variant } from '../../core/sale/variants.ts'
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
type Choice = { quantity: number; variant: string; key: string }

export type Choices = {
  /** The same for every retry of a request. */
  of: (shopper: VirtualShopper) => Choice
  /** False when no variant is left to choose. */
  chooseAgain: (shopper: VirtualShopper, refusal: Problem) => boolean
  /** Units of each variant that were wanted at first. */
  wanted: ReadonlyMap<string, number>
}

/**
 * Orders of `quantity` units. Every second one is of the first variant that a shopper does not know
 * as sold out, so most shoppers want the same; one who is refused chooses among the others.
 */
export function openChoices(ids: readonly string[], quantity: number, random: () => number): Choices {
  const known = new Map<string, { choice: Choice; soldOut: Set<string>; turn: number }>()
  const wanted = new Map<string, number>()

  const draw = (soldOut: ReadonlySet<string>): string => {
    const open = ids.filter((id) => !soldOut.has(id))
    return open[random() < 0.5 ? 0 : Math.floor(random() * open.length)] ?? ''
  }

  const stateOf = ({ shopperId, key }: VirtualShopper) => {
    const before = known.get(shopperId)
    if (before !== undefined) return before
    const variant = draw(new Set())
    const state = { choice: { quantity, variant, key }, soldOut: new Set<string>(), turn: 1 }
    known.set(shopperId, state)
    wanted.set(variant, (wanted.get(variant) ?? 0) + quantity)
    return state
  }

  return {
    wanted,
    of: (shopper) => stateOf(shopper).choice,
    chooseAgain(shopper, { code, variant }) {
      const state = stateOf(shopper)
      if (code !== 'sold-out' || variant === undefined) return false
      state.soldOut.add(variant)
      if (state.soldOut.size === ids.length) return false
      state.turn += 1
      state.choice = { quantity, variant: draw(state.soldOut), key: `${shopper.key}-${state.turn}` }
      return true
    },
  }
}
