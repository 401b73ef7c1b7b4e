/** What a shopper asks for: a number of units, in a sale with variants of one of them. */
import type { Sale } from '../../core/sale/sale.ts'
import type { OrderUnits } from '../../core/sale/variants.ts'
import type { Random } from './engine/random.ts'

/** Every second shopper wants the first variant, which is soon gone. */
export function drawWanted(random: Random, { variants = [] }: Pick<Sale, 'variants'>, quantity: number): OrderUnits {
  const [first, ...others] = variants.map(({ id }) => id)
  if (first === undefined) return { quantity }
  return { quantity, variant: random.chance(0.5) ? first : random.pick(others) }
}
