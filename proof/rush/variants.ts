/** The variants of a rushed sale, and shoppers who choose among them. */
import type { Problem } from '../../client/types.ts'
import type { Variant } from '../../core/sale/variants.ts'
import type { VirtualShopper } from './shopper.ts'

/** Divides `stock` units into equal parts; the first variants get the remainder. */
export function variantsOf(count: number, stock: number): readonly Variant[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `v${at + 1}`,
    name: `V${at + 1}`,
    stock: Math.floor(stock / count) + (at < stock % count ? 1 : 0),
  }))
}

/** The current request of a shopper with its idempotency key. */
type Choice = { quantity: number; variant: string; key: string }

export type VariantChoices = {
  /** Returns the same choice for every retry of a request. */
  of: (shopper: VirtualShopper) => Choice
  /** False when no variant is left to choose. */
  chooseAgain: (shopper: VirtualShopper, refusal: Problem) => boolean
  /** Units of each variant in the shoppers' first requests. */
  wanted: ReadonlyMap<string, number>
}

/**
 * Chooses variants for orders of `quantity` units. Half of the choices are the first variant that the shopper has not
 * seen sold out, so most shoppers compete for it; a refused shopper chooses among the others.
 */
export function openVariantChoices(ids: readonly string[], quantity: number, random: () => number): VariantChoices {
  const known = new Map<string, { choice: Choice; soldOut: Set<string>; request: number }>()
  const wanted = new Map<string, number>()

  const draw = (soldOut: ReadonlySet<string>): string => {
    const open = ids.filter((id) => !soldOut.has(id))
    return open[random() < 0.5 ? 0 : Math.floor(random() * open.length)] ?? ''
  }

  const stateOf = ({ shopperId, key }: VirtualShopper) => {
    const before = known.get(shopperId)
    if (before !== undefined) return before
    const variant = draw(new Set())
    const state = { choice: { quantity, variant, key }, soldOut: new Set<string>(), request: 1 }
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
      state.request += 1
      state.choice = { quantity, variant: draw(state.soldOut), key: `${shopper.key}-${state.request}` }
      return true
    },
  }
}
