/** The verdict of a sale with variants, each of which is a stock of its own. */
import { sumByVariant, type Variant } from '../../core/sale/variants.ts'
import { standingOrders } from '../invariants/units.ts'
import { judge, type RushFacts, type Verdict } from './verdict.ts'

/** `wanted` are the units that shoppers asked for at first, the late one after the rush included. */
export type VariantCount = { id: string; stock: number; wanted: number; sold: number; oversold: number }

export type VariantVerdict = Verdict & { variants: readonly VariantCount[] }

/** `shown` is what the public pointer says of each variant; `wanted` as in `VariantCount`. */
export type VariantFacts = RushFacts & {
  variants: readonly Variant[]
  wanted: ReadonlyMap<string, number>
  shown: Readonly<Record<string, number>>
}

export function judgeVariants(facts: VariantFacts): VariantVerdict {
  const { orders, shown, variants } = facts
  const sold = sumByVariant(standingOrders(orders))
  const counts = variants.map(({ id, stock }): VariantCount => {
    const units = sold[id] ?? 0
    const wanted = facts.wanted.get(id) ?? 0
    return { id, stock, wanted, sold: units, oversold: Math.max(0, units - stock) }
  })
  return { ...judge(facts, { variants, shown }), variants: counts }
}
