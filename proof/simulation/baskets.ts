/** What a shopper asks for: a number of units, in a sale with variants also of which. */
import type { Sale } from '../../core/sale/sale.ts'
import type { Basket } from '../../core/sale/variants.ts'
import type { Random } from './engine/random.ts'

/** `basket` says of which variants the units are, where the sale has some. */
export type WantedUnits = { quantity: number; basket?: Basket }

/** Asks for `quantity` units; every second unit is of the first variant, which is soon gone. */
export function drawWanted(random: Random, { variants = [] }: Pick<Sale, 'variants'>, quantity: number): WantedUnits {
  const [first, ...others] = variants.map(({ id }) => id)
  if (first === undefined) return { quantity }
  const basket: Record<string, number> = {}
  for (let left = quantity; left > 0; left -= 1) {
    const id = random.chance(0.5) ? first : random.pick(others)
    basket[id] = (basket[id] ?? 0) + 1
  }
  return { quantity, basket }
}

/** The fields of a request, which names its units one way or the other. */
export function fieldsOf({ quantity, basket }: WantedUnits): Partial<WantedUnits> {
  return basket === undefined ? { quantity } : { basket }
}
